// A hub, its server and a cache of their own, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log_sink.h"
#include "hub/hub.h"
#include "unit/hub/hub_server.h"

namespace hone::hub {

constexpr const char* kSecret = "hf_SecretOfTheUserThatNobodyMaySee";

class RecordingLog : public LogSink {
 public:
  void line(Severity severity, std::string_view text) override {
    lines.push_back((severity == Severity::warning ? "warning: " : "") + std::string(text));
  }
  std::string all() const {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }
  std::vector<std::string> lines;
};

class RecordingProgress : public DownloadProgress {
 public:
  void started(std::size_t files_, std::uint64_t bytes_) override {
    files = files_;
    bytes = bytes_;
    open = true;
  }
  void advanced(const std::string&, std::uint64_t, std::uint64_t, std::uint64_t all_done) override {
    latest = all_done;
  }
  void finished() override { open = false; }
  std::size_t files = 0;
  std::uint64_t bytes = 0, latest = 0;
  bool open = false;
};

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline void put(const std::filesystem::path& file, const std::string& bytes) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
}

class HubTest : public testing::Test {
 protected:
  HubTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "hone_hub_XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    place = pattern;
    server.files = {{"config.json", {"{\"model_type\": \"llama\"}"}},
                    {"tokenizer.json", {"{}"}},
                    {"README.md", {"# tiny"}},
                    {"model.safetensors", {std::string(300000, 'w') + "end", true}},
                    {"pytorch_model.bin", {std::string(1000, 'p'), true}},
                    {"tiny-q4.gguf", {std::string(1000, 'g'), true}}};
    options.endpoint = server.endpoint();
    options.cache = place / "cache";
    options.http.user_agent = "test";
    options.http.connect_seconds = 2;
    options.http.silence_seconds = 2;
    options.wait = [this](double seconds) { waits.push_back(seconds); };
  }
  ~HubTest() override { std::filesystem::remove_all(place); }

  // The text of the UserError that `action` throws; empty when it throws none.
  template <class Action>
  std::string error_of(const Action& action) {
    try {
      action();
      return "";
    } catch (const UserError& error) {
      return error.what();
    }
  }

  std::filesystem::path folder() const { return options.cache / "models--org--tiny"; }
  std::filesystem::path snapshot() const { return folder() / "snapshots" / HubServer::kCommit; }
  std::string digest(const std::string& name) const {
    const ServedFile& file = server.files.at(name);
    return file.large ? sha256(file.bytes) : git_blob_name(file.bytes);
  }

  std::filesystem::path place;
  HubServer server;
  HubOptions options;
  RecordingLog log;
  RecordingProgress progress;
  std::vector<double> waits;
  Repository tiny = {RepositoryKind::model, "org/tiny", "main"};
};

}  // namespace hone::hub
