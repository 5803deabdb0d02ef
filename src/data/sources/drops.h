// Records that could not be used: counted by reason, the first of each kept as examples.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "data/sources/record.h"

namespace hone::data {

class DropLedger {
 public:
  // `source` is what the user calls the data: "d.json". `files` are the names of its files; with
  // one file, examples do not repeat its name.
  DropLedger(std::string source, std::vector<std::string> files)
      : source_(std::move(source)), files_(std::move(files)) {}

  void count_record() { ++records_; }
  void drop(const RecordOrigin& origin, const Flaw& flaw);

  std::int64_t records() const { return records_; }
  std::int64_t dropped() const { return dropped_; }

  // "2 of 8 dropped" with its reasons, one line for each reason; empty when nothing was dropped.
  //   d.jsonl: 2 of 8 dropped
  //     2 without an answer text: record 4 (line 4): 'output' is null; record 6 (line 6): ...
  std::vector<std::string> lines() const;

  // "4 dropped (3 without an answer text, 1 not an object)"
  std::string short_text() const;

  // The first record that was dropped and why; empty when none was.
  std::string first_example() const;

 private:
  struct Reason {
    std::int64_t count = 0;
    std::vector<std::string> examples;
  };

  std::string source_;
  std::vector<std::string> files_;
  std::int64_t records_ = 0;
  std::int64_t dropped_ = 0;
  std::string first_example_;
  std::map<std::string, Reason> reasons_;  // in alphabetical order: the same text on every run
};

// "record 4 (line 4)", with the file's name in front when there are several.
std::string shown_origin(const RecordOrigin& origin, const std::vector<std::string>& files);

}  // namespace hone::data
