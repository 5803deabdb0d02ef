// Trials of the files of an earlier run that a resumed one reads.
#pragma once

#include <string>
#include <string_view>

#include "fuzz/reader_trials.h"
#include "report/trainer_log.h"
#include "report/trainer_state.h"

namespace hone::report {

// What is written of a state reads back as the same.
inline bool try_trainer_state(std::string_view input) {
  try {
    const std::string text = trainer_state_text(parse_trainer_state(input, "trial"));
    formats::expect(trainer_state_text(parse_trainer_state(text, "written")) == text,
                    "a written state reads differently");
    return true;
  } catch (const UserError&) {
    return false;
  }
}

// The first character is the step to go on from; what stays is whole lines.
inline bool try_trainer_log(std::string_view input) {
  const std::int64_t step = input.empty() ? 0 : input.front() % 8 - 1;
  const std::string text(input.substr(input.empty() ? 0 : 1));
  const std::size_t kept = kept_log_bytes(text, step);
  formats::expect(kept <= text.size(), "more is kept than there is");
  formats::expect(kept == 0 || text[kept - 1] == '\n', "a part of a line is kept");
  const std::size_t whole = kept_log_bytes(text, -1);
  formats::expect(kept <= whole, "going on from a step keeps more than going on");
  return kept == text.size();
}

}  // namespace hone::report
