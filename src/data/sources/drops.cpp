#include "data/sources/drops.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hone::data {
namespace {

constexpr std::size_t kExamplesPerReason = 5;

}  // namespace

std::string shown_origin(const RecordOrigin& origin, const std::vector<std::string>& files) {
  const std::string place = fmt::format("record {} (line {})", origin.number, origin.line);
  if (files.size() <= 1) return place;
  return fmt::format("{} {}", files[static_cast<std::size_t>(origin.file)], place);
}

void DropLedger::drop(const RecordOrigin& origin, const Flaw& flaw) {
  ++dropped_;
  Reason& reason = reasons_[flaw.reason];
  ++reason.count;
  if (reason.examples.size() >= kExamplesPerReason) return;
  reason.examples.push_back(fmt::format("{}: {}", shown_origin(origin, files_), flaw.detail));
  if (first_example_.empty()) first_example_ = reason.examples.back();
}

std::vector<std::string> DropLedger::lines() const {
  std::vector<std::string> lines;
  if (dropped_ == 0) return lines;
  lines.push_back(fmt::format("{}: {} of {} dropped", source_, dropped_, records_));
  for (const auto& [name, reason] : reasons_) {
    const bool more = static_cast<std::int64_t>(reason.examples.size()) < reason.count;
    lines.push_back(fmt::format("  {} {}: {}{}", reason.count, name,
                                fmt::join(reason.examples, "; "), more ? "; ..." : ""));
  }
  return lines;
}

std::string DropLedger::short_text() const {
  std::vector<std::string> counts;
  for (const auto& [name, reason] : reasons_) {
    counts.push_back(fmt::format("{} {}", reason.count, name));
  }
  return fmt::format("{} dropped ({})", dropped_, fmt::join(counts, ", "));
}

std::string DropLedger::first_example() const {
  return first_example_;
}

}  // namespace hone::data
