#include "data/sources/data_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "data/sources/file_rows.h"
#include "formats/columnar.h"
#include "formats/regular_file.h"
#include "formats/text_encoding.h"

namespace hone::data {
namespace {

namespace fs = std::filesystem;

void check_type(const fs::path& file, const std::string& asked) {
  const std::string type = file_type(file);
  if (type.empty()) {
    throw UserError({asked,
                     fmt::format("{}: the name does not end in .json, .jsonl, .csv, .txt, .parquet "
                                 "or .arrow",
                                 formats::shown_path(file)),
                     "name the file after what is in it, or convert it to JSONL"});
  }
  const bool columnar = type == "parquet" || type == "arrow";
  if (!columnar || formats::reads_columnar_files()) return;
  throw UserError(
      {asked,
       fmt::format("{}: {} files need Apache Arrow, which this hone was built without",
                   formats::shown_path(file), type),
       "build with ./run build --arrow, or convert the file to JSONL (with pandas: "
       "read_parquet(file).to_json(file, orient='records', lines=True, force_ascii=False))"});
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
                     "put data files there, or correct file_name in dataset_info.json"});
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    if (file_type(file) == file_type(files.front())) continue;
    throw UserError(
        {asked,
         fmt::format("files of several types in {}: {} and {}", formats::shown_path(folder),
                     formats::printable(files.front().filename().string()),
                     formats::printable(file.filename().string())),
         "keep files of one type in the folder (json and jsonl are one)"});
  }
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

std::vector<fs::path> fetched_data_files(const std::vector<fs::path>& files,
                                         const std::string& asked) {
  if (files.empty()) {
    throw UserError({asked, "a data set on a hub, which was not fetched",
                     "name files on this machine under 'file_name' instead"});
  }
  for (const fs::path& file : files) check_type(file, asked);
  return files;
}

}  // namespace hone::data
