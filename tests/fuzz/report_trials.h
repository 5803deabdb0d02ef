// Trials of the files of an earlier run that a resumed one reads.
#pragma once

#include <string>
#include <string_view>

#include "fuzz/reader_trials.h"
#include "report/event_record.h"
#include "report/page_text.h"
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

// Records follow each other without gaps, and are what writing them again would give.
inline bool try_event_file(std::string_view input) {
  std::size_t end = 0;
  for (const FoundEvent& event : read_events(input)) {
    formats::expect(event.offset == end, "a gap between records");
    formats::expect(event_record(event.message) == input.substr(event.offset, event.size),
                    "a record that would be written differently");
    end = event.offset + event.size;
  }
  return end > 0;
}

// What is read of a page's figures is read again from what is written of them.
inline bool try_run_page(std::string_view input) {
  RunSeries series(8);
  if (!series.restore(input, 1000)) return false;
  const std::string page = page_text({}, series);
  RunSeries again(8);
  formats::expect(again.restore(series_in(page), 1000), "a written page is not read");
  formats::expect(again.to_json() == series.to_json(), "a written page reads differently");
  return true;
}

}  // namespace hone::report
