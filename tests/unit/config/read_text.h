// Reading settings from a text in a test, with the temporary folder cut out of every answer.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/reading/read_settings.h"

namespace hone::config::testing {

struct Outcome {
  ReadResult result;
  std::vector<Fault> faults;
  std::string fault_text;  // all faults, one after another

  std::string notices() const {
    std::string text;
    for (const Notice& notice : result.notices) text += notice.text + "\n";
    return text;
  }
};

inline std::string without(std::string text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) {
    text.erase(at, part.size());
  }
  return text;
}

// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "hone_config_XXXXXX").string();
    path_ = std::string(mkdtemp(pattern.data())) + "/";
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline Outcome read(Request request, const std::string& folder = "") {
  FaultList faults;
  Outcome outcome;
  outcome.result = read_settings(request, faults);
  for (Fault fault : faults.faults()) {
    for (std::string* part : {&fault.asked, &fault.found, &fault.remedy}) {
      if (!folder.empty()) *part = without(*part, folder);
    }
    outcome.faults.push_back(fault);
    outcome.fault_text += to_text(fault) + "\n";
  }
  if (folder.empty()) return outcome;
  for (Notice& notice : outcome.result.notices) notice.text = without(notice.text, folder);
  for (auto& [name, origin] : outcome.result.origins) {
    origin.place = without(origin.place, folder);
    for (std::string& replaced : origin.replaced) replaced = without(replaced, folder);
  }
  return outcome;
}

// `words` come after the file, which holds `text`.
inline Outcome read_text(Command command, const std::string& text,
                         const std::vector<std::string>& words = {},
                         const std::string& file = "base.yaml", bool allow_unknown = false) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + file, std::ios::binary) << text;
  Request request;
  request.command = command;
  request.words.push_back(folder.path() + file);
  request.words.insert(request.words.end(), words.begin(), words.end());
  request.home = "/home/ada";
  request.allow_unknown = allow_unknown;
  return read(std::move(request), folder.path());
}

inline Outcome read_words(Command command, const std::vector<std::string>& words) {
  return read({command, words, "/home/ada", false});
}

// The least that a training run needs: three lines, so that what follows is line 4.
inline std::string least() {
  return "model_name_or_path: m\n"
         "dataset: d\n"
         "do_train: true\n";
}

inline Outcome train(const std::string& lines, const std::vector<std::string>& words = {}) {
  return read_text(Command::train, least() + lines, words);
}

}  // namespace hone::config::testing
