// A folder of data files for one test, and a log that keeps its lines.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log_sink.h"
#include "data/sources/dataset_reader.h"
#include "data/sources/registry.h"
#include "data/sources/split.h"

namespace hone::data {

class KeptLog : public LogSink {
 public:
  void line(Severity severity, std::string_view text) override {
    lines.push_back((severity == Severity::warning ? "warning: " : "") + std::string(text));
  }
  std::vector<std::string> lines;
};

struct SourceOptions {
  std::filesystem::path dataset_dir;
  FetchedFiles fetched;
  std::vector<std::string> datasets;
  std::vector<std::string> eval_datasets;
  std::optional<std::int64_t> max_samples;
  double val_size = 0.0;
  std::int64_t seed = 42;
  Purpose purpose = Purpose::supervised;
};

// Records as they are converted; none has a flaw.
struct LoadedRecords {
  std::vector<Record> training;
  std::vector<Record> evaluation;
  std::vector<std::string> files;
};

class SourceTest : public testing::Test {
 protected:
  SourceTest()
      : folder(std::filesystem::temp_directory_path() /
               ("hone_sources_" +
                std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "_" +
                std::to_string(reinterpret_cast<std::uintptr_t>(this)) + "_" +
                testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(folder);
    options.dataset_dir = folder;
    options.datasets = {"d"};
  }
  ~SourceTest() override { std::filesystem::remove_all(folder); }

  void write(const std::string& name, std::string_view text) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary).write(text.data(), std::ssize(text));
  }

  // The registry with one set "d", and its file.
  void write_set(std::string_view records, const std::string& entry = R"({"file_name":"d.json"})") {
    write("dataset_info.json", "{\"d\":" + entry + "}");
    write("d.json", records);
  }

  // Reads the sets one after another, splits, and drops what has a flaw.
  LoadedRecords load() {
    LoadedRecords loaded;
    FaultList faults;
    const DatasetRegistry registry = DatasetRegistry::open(options.dataset_dir, options.fetched);
    const auto read = [&](const std::vector<std::string>& names, std::vector<Record>& into) {
      for (const std::string& name : names) {
        try {
          DatasetReader reader(registry.find(name, options.purpose), registry.folder(),
                               options.max_samples);
          const auto first = static_cast<std::int32_t>(loaded.files.size());
          for (Record record; reader.next(record);) {
            record.origin.file += first;
            into.push_back(std::move(record));
          }
          for (const SaidLine& line : reader.finish()) log.line(line.severity, line.text);
          for (const std::string& file : reader.file_names()) loaded.files.push_back(file);
        } catch (const UserError& error) {
          faults.add(error);
        }
      }
    };
    std::vector<Record> all;
    read(options.datasets, all);
    read(options.eval_datasets, loaded.evaluation);
    faults.throw_if_any();
    const Split split = split_records(options.val_size, options.seed, std::ssize(all));
    for (const auto index : split.training) loaded.training.push_back(all[std::size_t(index)]);
    for (const auto index : split.evaluation) loaded.evaluation.push_back(all[std::size_t(index)]);
    for (auto* part : {&loaded.training, &loaded.evaluation}) {
      std::erase_if(*part, [](const Record& record) { return record.flaw.present(); });
    }
    return loaded;
  }

  // The text of the UserError that loading ends in, the folder's name replaced by "DIR".
  std::string refusal() {
    try {
      load();
    } catch (const UserError& error) {
      return shortened(error.what());
    }
    ADD_FAILURE() << "not refused";
    return "";
  }

  std::string shortened(std::string text) const {
    const std::string name = std::filesystem::absolute(folder).string();
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name)) {
      text.replace(at, name.size(), "DIR");
    }
    return text;
  }

  std::filesystem::path folder;
  SourceOptions options;
  KeptLog log;
};

}  // namespace hone::data
