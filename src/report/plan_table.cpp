#include "report/plan_table.h"

#include <fmt/format.h>

#include "report/text_table.h"
#include "report/units.h"

namespace hone::report {

namespace {

std::string verdict_text(std::uint64_t total, const PlanVerdict& verdict) {
  if (!verdict.limit_bytes) return "";
  const std::uint64_t limit = *verdict.limit_bytes;
  if (verdict.fits) {
    return fmt::format("Fits: {} of {} ({}).\n", bytes_text(total), bytes_text(limit),
                       verdict.limit_source);
  }
  std::string text = fmt::format("Does not fit: {} are needed", bytes_text(total));
  if (total > limit) text += fmt::format(", {} more than", bytes_text(total - limit));
  text += fmt::format("{} {} ({}).\n", total > limit ? "" : "; the limit is", bytes_text(limit),
                      verdict.limit_source);
  if (!verdict.remedies.empty()) text += "To make it fit:\n";
  for (const std::string& remedy : verdict.remedies) text += fmt::format("  - {}\n", remedy);
  return text;
}

}  // namespace

std::string plan_table(const std::vector<PlanLine>& lines, const PlanVerdict& verdict) {
  TableRows rows;
  std::uint64_t total = 0;
  for (const PlanLine& line : lines) {
    rows.push_back({line.category, bytes_text(line.bytes), line.note});
    total += line.bytes;
  }
  rows.push_back({});
  rows.push_back({"total", bytes_text(total), ""});
  return table_text({{"memory", Align::left}, {"planned"}, {"", Align::left}}, rows) +
         verdict_text(total, verdict);
}

}  // namespace hone::report
