// Where an axis begins, ends, and has its ticks.
#pragma once

#include <string>
#include <vector>

namespace hone::report {

struct Range {
  double low = 0;
  double high = 1;
};

// The range that shows values from `low` to `high` with air on both sides: `air` of their span
// each. Equal values (and those that differ only in what rounding leaves) get a span of a tenth
// of their size, or of 1 around zero, so that the axis is never without extent.
Range with_air(double low, double high, double air);

struct Ticks {
  double step = 1;             // 1, 2 or 5 times a power of ten
  std::vector<double> values;  // multiples of step inside the range, ascending
};

// At most `most` (2 or more) ticks, as many as the 1-2-5 steps allow. `whole`: the step is a whole
// number.
Ticks nice_ticks(const Range& range, int most, bool whole);

// One text per tick, all with the same number of decimals, just enough to tell them apart; with
// an exponent where the plain form would be long ("1.5e+06", "2e-06").
std::vector<std::string> tick_labels(const Ticks& ticks);

}  // namespace hone::report
