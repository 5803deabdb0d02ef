// From the text of an error, or a log file, to cause and remedy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "doctor/knowledge/entry.h"

namespace hone::doctor {

struct Explanation {
  const Entry* entry = nullptr;
  std::string line;              // the first that told, fit to be shown
  std::int64_t line_number = 0;  // 1 is the first
  std::int64_t count = 0;        // lines that told the same
};

// Every entry that lines of the text point at, the best first: what names a cause before what
// names a symptom, that before what everything ends in; among equals what came first. Harmless
// lines are left out unless nothing else is there. Empty: not known. Takes any bytes; lines longer
// than 4 KiB are cut.
std::vector<Explanation> explain(std::string_view text);

// For an error that ended a run: what the system said, explained. Only the parts that report what
// was found are looked at, not those that repeat what the user wrote. Empty: nothing to add.
std::string remedy_for(const UserError& error);
std::string remedy_for(std::string_view system_text);

// "DEV-03 This user may not ...\n  why: ...\n  to do: ...", for people. `most` entries at most.
std::string explanation_text(const std::vector<Explanation>& explanations, std::size_t most = 3);

// The same as JSON, with a line end.
std::string explanation_json(const std::vector<Explanation>& explanations);

}  // namespace hone::doctor
