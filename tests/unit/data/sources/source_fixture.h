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
#include "data/sources/load_records.h"

namespace hone::data {

class KeptLog : public LogSink {
 public:
  void line(Severity severity, std::string_view text) override {
    lines.push_back((severity == Severity::warning ? "warning: " : "") + std::string(text));
  }
  std::vector<std::string> lines;
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

  LoadedRecords load() { return load_records(options, log); }

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
