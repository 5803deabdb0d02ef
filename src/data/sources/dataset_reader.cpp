#include "data/sources/dataset_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/nearest_name.h"
#include "data/sources/converters.h"
#include "data/sources/data_files.h"
#include "formats/text_encoding.h"

namespace hone::data {
namespace {

namespace fs = std::filesystem;

std::string asked_for(const DatasetEntry& entry) {
  return fmt::format("data set '{}': {}", entry.name, entry.file_name);
}

std::vector<std::string> base_names(const std::vector<fs::path>& paths) {
  std::vector<std::string> names;
  for (const fs::path& path : paths) {
    names.push_back(formats::printable(path.filename().string()));
  }
  return names;
}

std::vector<std::string> shown_names(const DatasetEntry& entry,
                                     const std::vector<fs::path>& paths) {
  std::vector<std::string> names = base_names(paths);
  if (names.size() == 1) return {entry.file_name};
  for (std::string& name : names) name = entry.file_name + "/" + name;
  return names;
}

// The columns that records must have for the entry's purpose.
std::vector<std::string> expected_columns(const DatasetEntry& entry) {
  const ColumnNames& columns = entry.columns;
  std::vector<const std::optional<std::string>*> wanted;
  const bool answered = entry.purpose == Purpose::supervised || entry.purpose == Purpose::judged;
  if (entry.formatting == Formatting::alpaca) {
    wanted = {&columns.prompt, &columns.query, &columns.history};
    if (answered) wanted.insert(wanted.begin() + 2, &columns.response);
  } else {
    wanted = {&columns.messages};
  }
  if (entry.purpose == Purpose::pairs) {
    wanted.insert(wanted.end(), {&columns.chosen, &columns.rejected});
  }
  if (entry.purpose == Purpose::judged) wanted.push_back(&columns.kto_tag);
  // LLaMA-Factory's converter of OpenAI's messages does not ask for this one.
  if (entry.formatting != Formatting::openai) wanted.push_back(&columns.system);
  wanted.push_back(&columns.tools);
  std::vector<std::string> names;
  for (const auto* name : wanted) {
    if (*name) names.push_back(**name);
  }
  return names;
}

}  // namespace

DatasetReader::DatasetReader(DatasetEntry entry, const fs::path& folder,
                             std::optional<std::int64_t> max_rows)
    : entry_(std::move(entry)),
      asked_(asked_for(entry_)),
      paths_(entry_.hub ? fetched_data_files(entry_.fetched, asked_)
                        : find_data_files(folder, entry_.file_name, asked_)),
      file_names_(shown_names(entry_, paths_)),
      max_rows_(max_rows),
      drops_(entry_.file_name, base_names(paths_)),
      missing_(expected_columns(entry_)) {
  for (const std::string& note : entry_.notes) said_.push_back({Severity::warning, note});
}

void DatasetReader::see_columns(const formats::Value& row) {
  missing_.erase(std::remove_if(missing_.begin(), missing_.end(),
                                [&](const std::string& name) { return row.find(name) != nullptr; }),
                 missing_.end());
  const formats::Object* object = row.get_object();
  if (!first_keys_.empty() || object == nullptr) return;
  for (const formats::Member& member : *object) {
    first_keys_.push_back(formats::printable(member.key));
  }
}

void DatasetReader::close_file() {
  if (rows_->replaced_surrogates() > 0) {
    said_.push_back({Severity::warning,
                     fmt::format("{}: {} half surrogate pairs (broken \\u escapes) became U+FFFD",
                                 file_names_[file_], rows_->replaced_surrogates())});
  }
  rows_.reset();
  ++file_;
}

bool DatasetReader::next(Record& record) {
  if (max_rows_ && drops_.records() >= *max_rows_) {
    if (rows_) close_file();
    return false;
  }
  while (file_ < paths_.size()) {
    if (!rows_) rows_ = open_file_rows(paths_[file_]);
    if (!rows_->next(row_)) {
      close_file();
      continue;
    }
    see_columns(row_.value);
    record = convert(row_.value, entry_);
    record.origin = {static_cast<std::int32_t>(file_), row_.number, row_.line};
    drops_.count_record();
    if (record.flaw.present()) {
      drops_.drop(record.origin, record.flaw);
    } else if (record.lost_messages > 0) {
      lost_messages_ += record.lost_messages;
      ++lost_messages_records_;
    }
    return true;
  }
  return false;
}

void DatasetReader::check_columns(FaultList& faults) {
  for (const std::string& name : missing_) {
    if (!entry_.columns_given && name == entry_.columns.query) {
      said_.push_back(
          {Severity::info,
           fmt::format("data set '{}': no record has '{}'; questions come from '{}' alone",
                       entry_.name, name, *entry_.columns.prompt)});
      continue;
    }
    faults.add({fmt::format("data set '{}': column '{}'", entry_.name, formats::printable(name)),
                fmt::format("none of the {} records read from {} has it; the first has {}{}",
                            drops_.records(), entry_.file_name, fmt::join(first_keys_, ", "),
                            did_you_mean(name, first_keys_)),
                "name the right columns under 'columns' in dataset_info.json"});
  }
}

std::vector<SaidLine> DatasetReader::finish() {
  if (rows_) close_file();
  if (drops_.records() == 0) {
    throw UserError({asked_, "no records", "put records into the file, or choose another set"});
  }
  FaultList missing;
  check_columns(missing);
  missing.throw_if_any();
  if (drops_.dropped() == drops_.records()) {
    throw UserError(
        {asked_, fmt::format("no valid samples in {}: {}", entry_.file_name, drops_.short_text()),
         fmt::format("correct the records; the first: {}", drops_.first_example())});
  }
  for (const std::string& line : drops_.lines()) said_.push_back({Severity::warning, line});
  if (lost_messages_ > 0) {
    said_.push_back(
        {Severity::warning,
         fmt::format("{}: {} tool results at the end of {} conversations have no answer after them "
                     "and are left out",
                     entry_.file_name, lost_messages_, lost_messages_records_)});
  }
  return std::move(said_);
}

}  // namespace hone::data
