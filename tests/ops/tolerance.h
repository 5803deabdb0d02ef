// How far a kernel may be from the reference, and why. There is no way to write a bare number: a
// tolerance is made of rounding steps and of a sum's length, and says where they come from.
#pragma once

#include <cfloat>
#include <cmath>
#include <string>

namespace hone::tests {

// |kernel - reference| <= epsilon * (roundings * |reference| + terms * magnitude)
//
// A sum of n terms of about `magnitude` and random sign passes n roundings of partial sums that
// grow to sqrt(n) magnitude; their errors add up to about epsilon / 4 * n * magnitude. n epsilon
// magnitude is four standard deviations of it, and far below what a wrong term costs.
struct Tolerance {
  double roundings;
  double terms;
  double magnitude;
  std::string reason;
  double epsilon = FLT_EPSILON;

  double bound(double reference) const {
    return epsilon * (roundings * std::fabs(reference) + terms * magnitude);
  }
};

// The operation only moves values.
inline Tolerance exact() {
  return {0.0, 0.0, 0.0, "values are copied"};
}

inline Tolerance rounded(double roundings, std::string reason) {
  return {roundings, 0.0, 0.0, std::move(reason)};
}

inline Tolerance sum_of(double terms, double magnitude, std::string reason) {
  return {2.0, terms, magnitude, std::move(reason)};
}

}  // namespace hone::tests
