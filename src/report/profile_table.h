// What `--profile` prints: where the time went, and how near each operation came to what this
// machine can do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hone::report {

// Sums over a run, or over the part of it that was measured. Rows of one name are added up.
struct ProfileRow {
  std::string name;  // the operation: "rms_norm_forward"
  std::int64_t calls = 0;
  double seconds = 0;
  double flops = 0;  // floating-point operations that the calls had to do
  double bytes = 0;  // bytes that they had to move
};

// What was measured on this machine at start-up.
struct Roof {
  double flops_per_second = 0;
  double bytes_per_second = 0;
};

// The time that the roof would need, over the time that was needed: with f operations and b bytes,
// max(f / roof.flops_per_second, b / roof.bytes_per_second) / seconds. Not a number without time.
double share_of_roof(const ProfileRow& row, const Roof& roof);

// One line per operation, the longest time first: name, calls, time, share of `total_seconds`,
// GFLOP/s, GB/s, share of the roof. Then what no row accounts for, and the total. `total_seconds`
// is the wall time in which the rows were measured.
std::string profile_table(std::vector<ProfileRow> rows, double total_seconds, const Roof& roof);

}  // namespace hone::report
