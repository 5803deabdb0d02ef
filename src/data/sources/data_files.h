// Which files a data set's `file_name` stands for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hone::data {

// One file, or the files of a folder in the order of their names (hidden ones left out). Relative
// names are relative to `folder`. UserError: not there, an empty folder, a folder in the folder,
// files of several types, a type that is not read. `asked` starts the error text.
std::vector<std::filesystem::path> find_data_files(const std::filesystem::path& folder,
                                                   const std::string& file_name,
                                                   const std::string& asked);

// The same files, which were fetched from a hub. UserError: none, a type that is not read.
std::vector<std::filesystem::path> fetched_data_files(
    const std::vector<std::filesystem::path>& files, const std::string& asked);

}  // namespace hone::data
