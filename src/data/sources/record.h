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
  std::vector<Message> prompt;    // odd number, ends with user or observation
  std::vector<Message> response;  // one: the last answer
  std::string system;
  std::string tools;  // JSON list, or empty
  RecordOrigin origin;
  Flaw flaw;  // present: prompt and response mean nothing
};

}  // namespace hone::data
