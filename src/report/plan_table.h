// The memory plan as a table: what each part takes, and whether it fits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hone::report {

struct PlanLine {
  std::string category;
  std::uint64_t bytes = 0;
  std::string note;  // what it depends on, in a few words; may be empty
};

struct PlanVerdict {
  bool fits = true;
  // What the total is held against, and who says so: "memory of this machine", "memory_limit".
  // Nothing when there is no limit: then there is no verdict line.
  std::optional<std::uint64_t> limit_bytes;
  std::string limit_source;
  // When it does not fit: the setting that would make it fit, a line each.
  std::vector<std::string> remedies;
};

// Lines in the order given, the total, and one sentence:
// "Fits: 1.66 GiB of 14.2 GiB (memory of this machine)." or
// "Does not fit: 19.1 GiB are needed, 4.90 GiB more than 14.2 GiB (memory of this machine)."
// with "To make it fit:" and the remedies.
std::string plan_table(const std::vector<PlanLine>& lines, const PlanVerdict& verdict);

}  // namespace hone::report
