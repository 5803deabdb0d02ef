#include "data/sources/load_records.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/error.h"
#include "base/nearest_name.h"
#include "data/sources/converters.h"
#include "data/sources/data_files.h"
#include "data/sources/drops.h"
#include "data/sources/registry.h"
#include "data/sources/split.h"
#include "formats/records.h"
#include "formats/text_encoding.h"

namespace hone::data {
namespace {

// Which of the configured columns some record has.
class ColumnCheck {
 public:
  explicit ColumnCheck(const DatasetEntry& entry) : entry_(entry) {
    const ColumnNames& columns = entry.columns;
    if (entry.formatting == Formatting::alpaca) {
      for (const auto* name :
           {&columns.prompt, &columns.query, &columns.response, &columns.history})
        expect(*name);
    } else {
      expect(columns.messages);
    }
    expect(columns.system);
    expect(columns.tools);
  }

  void see(const formats::Value& record) {
    missing_.erase(
        std::remove_if(missing_.begin(), missing_.end(),
                       [&](const std::string& name) { return record.find(name) != nullptr; }),
        missing_.end());
    const formats::Object* object = record.get_object();
    if (!first_keys_.empty() || object == nullptr) return;
    for (const formats::Member& member : *object) {
      first_keys_.push_back(formats::printable(member.key));
    }
  }

  // Adds a fault for what no record has. The default `input` is only told of.
  void report(std::int64_t records, FaultList& faults, LogSink& log) const {
    for (const std::string& name : missing_) {
      if (!entry_.columns_given && name == entry_.columns.query) {
        log.info(fmt::format("data set '{}': no record has '{}'; questions come from '{}' alone",
                             entry_.name, name, *entry_.columns.prompt));
        continue;
      }
      faults.add({fmt::format("data set '{}': column '{}'", entry_.name, formats::printable(name)),
                  fmt::format("none of the {} records read from {} has it; the first has {}{}",
                              records, entry_.file_name, fmt::join(first_keys_, ", "),
                              did_you_mean(name, first_keys_)),
                  "name the right columns under 'columns' in dataset_info.json"});
    }
  }

 private:
  void expect(const std::optional<std::string>& name) {
    if (name) missing_.push_back(*name);
  }

  const DatasetEntry& entry_;
  std::vector<std::string> missing_;
  std::vector<std::string> first_keys_;
};

// Loads one set after another; what is wrong is collected.
class Loader {
 public:
  Loader(const SourceOptions& options, LogSink& log)
      : options_(options), log_(log), registry_(DatasetRegistry::open(options.dataset_dir)) {}

  std::vector<Record> load(const std::vector<std::string>& names) {
    std::vector<Record> records;
    std::set<std::string> seen;
    for (const std::string& name : names) {
      if (!seen.insert(name).second) {
        log_.info(fmt::format("data set '{}' is listed twice; it is loaded once", name));
        continue;
      }
      try {
        load_set(registry_.find(name), records);
      } catch (const UserError& error) {
        faults_.add(error);
      }
    }
    return records;
  }

  std::vector<std::string> finish() {
    faults_.throw_if_any();
    return std::move(files_);
  }

 private:
  void load_set(const DatasetEntry& entry, std::vector<Record>& records) {
    for (const std::string& note : entry.notes) log_.warning(note);
    const std::string asked = fmt::format("data set '{}': {}", entry.name, entry.file_name);
    const auto paths = find_data_files(registry_.folder(), entry.file_name, asked);
    const auto first_file = static_cast<std::int32_t>(files_.size());
    std::vector<std::string> names;
    for (const auto& path : paths) names.push_back(formats::printable(path.filename().string()));
    for (const std::string& name : names) {
      files_.push_back(names.size() == 1 ? entry.file_name : entry.file_name + "/" + name);
    }

    DropLedger drops(entry.file_name, names);
    ColumnCheck columns(entry);
    for (std::size_t i = 0; i < paths.size() && !enough(drops); ++i) {
      read_file(entry, paths[i], static_cast<std::int32_t>(i), first_file, drops, columns, records);
    }
    if (drops.records() == 0) {
      throw UserError({asked, "no records", "put records into the file, or choose another set"});
    }
    FaultList missing;
    columns.report(drops.records(), missing, log_);
    missing.throw_if_any();
    if (drops.dropped() == drops.records()) {
      throw UserError(
          {asked, fmt::format("no valid samples in {}: {}", entry.file_name, drops.short_text()),
           fmt::format("correct the records; the first: {}", drops.first_example())});
    }
    for (const std::string& line : drops.lines()) log_.warning(line);
  }

  bool enough(const DropLedger& drops) const {
    return options_.max_samples && drops.records() >= *options_.max_samples;
  }

  void read_file(const DatasetEntry& entry, const std::filesystem::path& path, std::int32_t index,
                 std::int32_t first_file, DropLedger& drops, ColumnCheck& columns,
                 std::vector<Record>& records) {
    formats::RecordReader reader(path);
    formats::Record raw;
    while (!enough(drops) && reader.next(raw)) {
      columns.see(raw.value);
      Record record = entry.formatting == Formatting::alpaca
                          ? convert_alpaca(raw.value, entry.columns)
                          : convert_sharegpt(raw.value, entry.columns, entry.tags);
      drops.count_record();
      record.origin = {index, raw.number, raw.line};
      if (record.flaw.present()) drops.drop(record.origin, record.flaw);
      record.origin.file += first_file;
      records.push_back(std::move(record));
    }
    if (reader.replaced_surrogates() > 0) {
      log_.warning(fmt::format("{}: {} half surrogate pairs (broken \\u escapes) became U+FFFD",
                               files_[static_cast<std::size_t>(first_file + index)],
                               reader.replaced_surrogates()));
    }
  }

  const SourceOptions& options_;
  LogSink& log_;
  DatasetRegistry registry_;
  std::vector<std::string> files_;
  FaultList faults_;
};

void remove_flawed(std::vector<Record>& records) {
  records.erase(std::remove_if(records.begin(), records.end(),
                               [](const Record& record) { return record.flaw.present(); }),
                records.end());
}

void divide(std::vector<Record> all, const SourceOptions& options, LoadedRecords& loaded) {
  if (!asks_for_split(options.val_size)) {
    loaded.training = std::move(all);
    return;
  }
  const Split split =
      split_records(options.val_size, options.seed, static_cast<std::int64_t>(all.size()));
  const auto take = [&](const std::vector<std::int64_t>& indices, std::vector<Record>& into) {
    into.reserve(indices.size());
    for (const std::int64_t index : indices) {
      into.push_back(std::move(all[static_cast<std::size_t>(index)]));
    }
  };
  take(split.training, loaded.training);
  take(split.evaluation, loaded.evaluation);
}

}  // namespace

LoadedRecords load_records(const SourceOptions& options, LogSink& log) {
  HONE_ASSERT(!options.datasets.empty());
  HONE_ASSERT(options.eval_datasets.empty() || !asks_for_split(options.val_size), options.val_size);
  Loader loader(options, log);
  LoadedRecords loaded;
  std::vector<Record> all = loader.load(options.datasets);
  loaded.evaluation = loader.load(options.eval_datasets);
  loaded.files = loader.finish();
  divide(std::move(all), options, loaded);

  const bool evaluates = !loaded.evaluation.empty();
  remove_flawed(loaded.training);
  remove_flawed(loaded.evaluation);
  if (loaded.training.empty() || (evaluates && loaded.evaluation.empty())) {
    throw UserError({fmt::format("val_size: {}", options.val_size),
                     fmt::format("no valid record is left to {} after the split",
                                 loaded.training.empty() ? "train on" : "evaluate on"),
                     "set another val_size, or correct the records that were dropped"});
  }
  return loaded;
}

}  // namespace hone::data
