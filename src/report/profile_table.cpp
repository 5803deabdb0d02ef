#include "report/profile_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "report/text_table.h"
#include "report/units.h"

namespace hone::report {

namespace {

constexpr double kGiga = 1e9;

std::vector<ProfileRow> added_up(std::vector<ProfileRow> rows) {
  std::map<std::string, ProfileRow> by_name;
  for (ProfileRow& row : rows) {
    ProfileRow& sum = by_name[row.name];
    sum.name = row.name;
    sum.calls += row.calls;
    sum.seconds += row.seconds;
    sum.flops += row.flops;
    sum.bytes += row.bytes;
  }
  std::vector<ProfileRow> result;
  for (auto& entry : by_name) result.push_back(std::move(entry.second));
  std::stable_sort(result.begin(), result.end(),
                   [](const ProfileRow& a, const ProfileRow& b) { return a.seconds > b.seconds; });
  return result;
}

std::string share_or_dash(double part, double whole) {
  return whole > 0 ? share_text(part / whole) : "-";
}

// "-" where there is nothing to divide: no work of the kind, or no time.
std::string giga_rate(double amount, double seconds) {
  return amount > 0 && seconds > 0 ? rate_text(amount / seconds / kGiga) : "-";
}

std::vector<std::string> cells(const ProfileRow& row, double total_seconds, const Roof& roof) {
  const bool has_roof = row.seconds > 0 && (row.flops > 0 || row.bytes > 0) &&
                        roof.flops_per_second > 0 && roof.bytes_per_second > 0;
  return {row.name,
          count_text(row.calls),
          short_time_text(row.seconds),
          share_or_dash(row.seconds, total_seconds),
          giga_rate(row.flops, row.seconds),
          giga_rate(row.bytes, row.seconds),
          has_roof ? share_text(share_of_roof(row, roof)) : "-"};
}

}  // namespace

double share_of_roof(const ProfileRow& row, const Roof& roof) {
  if (!(row.seconds > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double least =
      std::max(row.flops / roof.flops_per_second, row.bytes / roof.bytes_per_second);
  return least / row.seconds;
}

std::string profile_table(std::vector<ProfileRow> rows, double total_seconds, const Roof& roof) {
  TableRows lines;
  ProfileRow total = {"total", 0, total_seconds, 0, 0};
  double measured_seconds = 0;
  for (const ProfileRow& row : added_up(std::move(rows))) {
    lines.push_back(cells(row, total_seconds, roof));
    total.calls += row.calls;
    total.flops += row.flops;
    total.bytes += row.bytes;
    measured_seconds += row.seconds;
  }
  const double rest = std::max(0.0, total_seconds - measured_seconds);
  lines.push_back({"everything else", "", short_time_text(rest), share_or_dash(rest, total_seconds),
                   "", "", ""});
  lines.push_back({});
  lines.push_back(cells(total, total_seconds, roof));
  return fmt::format("Roof of this machine: {} GFLOP/s, {} GB/s\n",
                     rate_text(roof.flops_per_second / kGiga),
                     rate_text(roof.bytes_per_second / kGiga)) +
         table_text({{"operation", Align::left},
                     {"calls"},
                     {"time"},
                     {"share"},
                     {"GFLOP/s"},
                     {"GB/s"},
                     {"of roof"}},
                    lines);
}

}  // namespace hone::report
