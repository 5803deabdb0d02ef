#include "data/prepared/tokenized_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "base/error.h"
#include "formats/regular_file.h"

namespace hone::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTraining = "train";
constexpr const char* kEvaluation = "validation";

// A name is a key of dataset_info.json, which may hold anything: what cannot stand in the name of a
// folder is written as % and its two hexadecimal digits.
std::string evaluation_folder(const std::string& name) {
  if (name.empty()) return kEvaluation;
  std::string folder = std::string(kEvaluation) + "_";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > ' ' && byte != '/' && byte != '%' && byte != 0x7F;
    folder += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return folder;
}

std::string name_of_folder(std::string_view folder) {
  std::string name;
  for (std::size_t i = 0; i < folder.size(); ++i) {
    unsigned value = 0;
    const bool coded =
        folder[i] == '%' && i + 2 < folder.size() &&
        std::from_chars(&folder[i + 1], &folder[i + 3], value, 16).ptr == &folder[i + 3];
    name += coded ? static_cast<char>(value) : folder[i];
    if (coded) i += 2;
  }
  return name;
}

// Of the sets to evaluate on that lie in the folder; sorted, the one without a name first.
std::vector<std::string> evaluation_names(const fs::path& folder) {
  const std::string start = std::string(kEvaluation) + "_";
  std::vector<std::string> names;
  std::error_code error;
  if (fs::is_directory(folder / kEvaluation, error)) names.emplace_back();
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string file = entry.path().filename().string();
    if (file.rfind(start, 0) == 0) names.push_back(name_of_folder(file.substr(start.size())));
  }
  std::sort(names.begin(), names.end());
  return names;
}

void write_records(formats::FileSystem& system, const fs::path& folder,
                   const EncodedRecords& records, const PreparedData& data) {
  RowsFolderWriter writer(system, folder);
  const EncodedDataset& dataset = records.dataset;
  for (std::int64_t record = 0; record < dataset.records(); ++record) {
    const RecordSize& size = dataset.size(record);
    const RecordOrigin& origin = records.origins[static_cast<std::size_t>(record)];
    const auto starts = dataset.starts(record);
    const Example example = {{dataset.tokens(record).begin(), dataset.tokens(record).end()},
                             {dataset.labels(record).begin(), dataset.labels(record).end()}};
    EncodedRow row = make_row(example, starts, size.sequences > 1);
    row.info.file = origin.file;
    row.info.number = origin.number;
    row.info.line = origin.line;
    writer.add(row);
  }
  RowsAbout about;
  about.largest_id = data.largest_id;
  about.files = data.files;
  writer.finish(about, "");
}

// The largest id or label. A folder may come from anywhere, so it is not believed what it says of
// itself. UserError: a number that is neither an id nor the mark of what is not learned.
std::int32_t largest_number(const fs::path& folder, const EncodedRows& rows) {
  std::int32_t largest = -1;
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    const auto tokens = static_cast<std::size_t>(rows.info(row).tokens);
    const auto numbers = rows.numbers(row).first(2 * tokens);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      largest = std::max(largest, numbers[i]);
      if (numbers[i] >= 0 || (i >= tokens && numbers[i] == kIgnoreLabel)) continue;
      throw UserError({"prepared records in " + formats::shown_path(folder),
                       "row " + std::to_string(row + 1) + " holds " + std::to_string(numbers[i]) +
                           ", which is no token id",
                       "remove the folder, and prepare the records again"});
    }
  }
  return largest;
}

EncodedRecords read_records(const PreparedRows& prepared) {
  EncodedRecords records;
  records.dataset.keep(prepared.rows, true);
  records.dataset.reserve(prepared.rows->count());
  for (std::int64_t row = 0; row < prepared.rows->count(); ++row) {
    records.report.count(prepared.rows->info(row));
    append_row(records, *prepared.rows, row, 0);
  }
  prepared.rows->let_go();
  return records;
}

}  // namespace

bool has_tokenized(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder, error) &&
         !(fs::is_directory(folder, error) && fs::is_empty(folder, error));
}

void save_tokenized(formats::FileSystem& system, const fs::path& folder, const PreparedData& data) {
  fs::path work = fs::absolute(folder).lexically_normal();
  if (!work.has_filename()) work = work.parent_path();
  const fs::path target = work;
  work += ".partial";
  formats::remove_tree(system, work);
  fs::path made;
  for (const fs::path& part : work) {
    made /= part;
    std::error_code ignored;
    if (!fs::is_directory(made, ignored)) system.create_folder(made);
  }
  write_records(system, work / kTraining, data.training, data);
  for (const NamedRecords& part : data.evaluations) {
    write_records(system, work / evaluation_folder(part.name), part.records, data);
  }
  system.sync_folder(work);
  system.rename(work, target);
  system.sync_folder(target.parent_path());
}

PreparedData load_tokenized(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder / kTraining, error)) {
    throw UserError({"tokenized_path: " + formats::shown_path(folder),
                     "it is not a folder of records that hone prepared",
                     "name a folder that is not there yet, to be written, or leave tokenized_path "
                     "out (folders that LLaMA-Factory wrote hold Arrow files, which are of no use "
                     "here)"});
  }
  PreparedData data;
  const PreparedRows training = open_rows_folder(folder / kTraining, "");
  data.training = read_records(training);
  data.largest_id = largest_number(folder / kTraining, *training.rows);
  data.files = training.about.files;
  for (const std::string& name : evaluation_names(folder)) {
    const fs::path part = folder / evaluation_folder(name);
    const PreparedRows rows = open_rows_folder(part, "");
    data.evaluations.push_back({name, read_records(rows)});
    data.largest_id = std::max(data.largest_id, largest_number(part, *rows.rows));
  }
  return data;
}

}  // namespace hone::data
