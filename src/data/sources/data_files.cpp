#include "data/sources/data_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "formats/regular_file.h"

namespace hone::data {
namespace {

namespace fs = std::filesystem;

void check_type(const fs::path& file, const std::string& asked) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".json" || extension == ".jsonl") return;
  const bool coming = extension == ".csv" || extension == ".parquet" || extension == ".arrow" ||
                      extension == ".txt";
  throw UserError(
      {asked,
       fmt::format("{}: {}", formats::shown_path(file),
                   coming
                       ? fmt::format("files of type {} are not supported yet", extension.substr(1))
                       : "the name does not end in .json or .jsonl"),
       "convert the records to JSON or JSONL (csv, parquet, arrow and txt are to come)"});
}

std::vector<fs::path> files_in(const fs::path& folder, const std::string& asked) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.filename().string().front() == '.') continue;
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
      throw UserError(
          {asked,
           fmt::format("{} is a folder inside the data set's folder", formats::shown_path(path)),
           "put all data files into one folder without others in it"});
    }
    check_type(path, asked);
    files.push_back(path);
  }
  if (error) throw UserError(formats::system_fault("read folder", folder, error.value()));
  if (files.empty()) {
    throw UserError({asked, fmt::format("no files in {}", formats::shown_path(folder)),
                     "put JSON or JSONL files there, or correct file_name in dataset_info.json"});
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<fs::path> find_data_files(const fs::path& folder, const std::string& file_name,
                                      const std::string& asked) {
  const fs::path path = folder / file_name;  // an absolute file_name replaces the folder
  std::error_code error;
  if (fs::is_directory(path, error)) return files_in(path, asked);
  if (!fs::exists(path, error)) {
    throw UserError({asked, fmt::format("no file {}", formats::shown_path(path)),
                     "correct file_name in dataset_info.json, or put the file there"});
  }
  check_type(path, asked);
  return {path};
}

}  // namespace hone::data
