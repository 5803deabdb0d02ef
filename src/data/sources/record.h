// The standard record that every source format is converted to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/templates/message.h"

namespace hone::data {

// Where a record came from, for messages to the user.
struct RecordOrigin {
  std::int32_t file = 0;    // index into the list of files it was loaded with
  std::int64_t number = 0;  // 1 is the first record of the file
  std::int64_t line = 0;    // where it starts; 1 is the first
};

// Why a record cannot be used. Records keep their place until the data is split, because
// LLaMA-Factory counts and shuffles them too and drops them afterwards.
struct Flaw {
  std::string reason;  // the kind, after a count: "without an answer text"
  std::string detail;  // of this record: "'output' is null"
  bool present() const { return !reason.empty(); }
};

struct Record {
  std::vector<Message> prompt;  // odd number, ends with user or observation
  // One: the last answer. Of a pair: the better and the worse one. Of a judged answer: it and an
  // empty one, the wanted one first. For pre-training: nothing.
  std::vector<Message> response;
  std::string system;
  std::string tools;               // JSON list, or empty
  std::int64_t lost_messages = 0;  // tool results at the end, which no answer follows
  RecordOrigin origin;
  Flaw flaw;  // present: prompt and response mean nothing
};

}  // namespace hone::data
