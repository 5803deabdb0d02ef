#include "ops/squared_norm.h"

#include "ops/cases.h"

namespace hone::tests {
namespace {

ops::SquaredNorm make(const Operands& o) {
  return {o["x"], o["partials"]};
}

OpCase norm_case(const std::string& name, std::int64_t count) {
  OpCase c =
      op_case(name, {in("x", {count}), assigned("partials", {ops::segments(count)}).as(DType::f64)},
              make, rounded(1.0, "sums in f64: the bound is one part in 2^40"));
  c.tolerance.epsilon = 0x1p-40;
  return c;
}

}  // namespace

Cases squared_norm_cases() {
  return {norm_case("one", 1),         norm_case("odd", 37),       norm_case("empty", 0),
          norm_case("segment", 65536), norm_case("beyond", 65537), norm_case("three", 140001)};
}

}  // namespace hone::tests
