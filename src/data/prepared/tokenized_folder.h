// `tokenized_path`: the records of a run as they are trained on, in a folder that the user names.
//
//   train/        rows (rows_folder.h) in the order of the data
//   validation/   the same of the records to evaluate on; only where there are any
//   validation_NAME/   and where each set is evaluated by itself, of the set of that name
//
// It is hone's own format: LLaMA-Factory keeps an Arrow data set in a folder of that name.
#pragma once

#include <filesystem>

#include "data/prepared/preparation.h"
#include "formats/file_system.h"

namespace hone::data {

// Whether there is a folder with something in it, which is then used and not written.
bool has_tokenized(const std::filesystem::path& folder);

// Writes the records; the folder appears whole or not at all. UserError: see FileSystem.
void save_tokenized(formats::FileSystem& system, const std::filesystem::path& folder,
                    const PreparedData& data);

// UserError: not a folder that save_tokenized wrote, or a changed one.
PreparedData load_tokenized(const std::filesystem::path& folder);

}  // namespace hone::data
