// Trials of the way from a configuration file or a command line to settings. The first character of
// an input says how it is read: which command (its number modulo 4), and whether unknown keys are
// allowed (from 'a' on). What follows is the file, or the words, one on a line.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "config/effective.h"
#include "config/reading/read_settings.h"
#include "fuzz/reader_trials.h"

namespace hone::config {

using formats::expect;

// What is promised of every answer, whatever was read. Returns whether it is without faults.
inline bool examine(const ReadResult& result, const FaultList& faults) {
  for (const Fault& fault : faults.faults()) {
    expect(!fault.asked.empty() && !fault.found.empty() && !fault.remedy.empty(),
           "a fault lacks one of its parts");
    for (const char c : to_text(fault)) {
      expect(c == '\n' || static_cast<unsigned char>(c) >= 0x20, "a fault holds a control code");
    }
  }
  for (const auto& [name, origin] : result.origins) {
    expect(!origin.place.empty(), "a value comes from nowhere");
    expect(!describe_setting(result, name).empty(), "a setting cannot be described");
  }
  for (const Notice& notice : result.notices) expect(!notice.text.empty(), "an empty notice");
  const std::vector<EffectiveSetting> effective = effective_settings(result);
  expect(effective.size() == result.origins.size(), "a value that was read is not shown");
  to_text(effective);
  return faults.empty();
}

inline bool try_request(std::string_view how, Request request) {
  const char first = how.empty() ? '0' : how.front();
  request.command = static_cast<Command>(static_cast<unsigned char>(first) % 4);
  request.allow_unknown = first >= 'a';
  request.home = "/home/ada";
  FaultList faults;
  const ReadResult result = read_settings(request, faults);
  FaultList again;
  const ReadResult second = read_settings(request, again);
  expect(faults.faults().size() == again.faults().size(), "read twice, the faults differ");
  expect(to_text(effective_settings(result)) == to_text(effective_settings(second)),
         "read twice, the settings differ");
  return examine(result, faults);
}

inline bool try_config_file(std::string_view input, const char* ending) {
  static const std::string folder = std::filesystem::temp_directory_path().string();
  const std::string path = folder + "/hone_trial_" + std::to_string(::getpid()) + ending;
  std::ofstream(path, std::ios::binary | std::ios::trunc) << input.substr(input.empty() ? 0 : 1);
  Request request;
  request.words = {path};
  const bool accepted = try_request(input, request);
  std::filesystem::remove(path);
  return accepted;
}

inline bool try_config_yaml(std::string_view input) {
  return try_config_file(input, ".yaml");
}

inline bool try_config_json(std::string_view input) {
  return try_config_file(input, ".json");
}

// A word that names a file would be opened: it is left out.
inline bool try_command_line(std::string_view input) {
  Request request;
  std::size_t first = input.empty() ? 0 : 1;
  while (first < input.size()) {
    const std::size_t end = std::min(input.find('\n', first), input.size());
    const std::string word(input.substr(first, end - first));
    const bool is_file = word.find(".yaml") != std::string::npos ||
                         word.find(".yml") != std::string::npos ||
                         word.find(".json") != std::string::npos;
    if (!is_file) request.words.push_back(word);
    first = end + 1;
  }
  return try_request(input, request);
}

}  // namespace hone::config
