#include "ops/rope.h"

#include "ops/cases.h"

namespace hone::tests {
namespace {

std::vector<std::int32_t> some_positions(std::int64_t count) {
  std::vector<std::int32_t> positions;
  for (std::int64_t t = 0; t < count; ++t) {
    positions.push_back(static_cast<std::int32_t>(t * 7 % 11));
  }
  return positions;
}

auto maker(std::int64_t tokens, bool inverse, const std::string& x) {
  return [positions = some_positions(tokens), inverse, x](const Operands& o) {
    ops::Rope op;
    op.positions = positions;
    op.cosines = o["cosines"];
    op.sines = o["sines"];
    op.inverse = inverse;
    op.x = o[x];
    return op;
  };
}

OpCase rope_case(const std::string& name, const Shape& x, bool inverse, std::int64_t gap) {
  const std::int64_t half = x[2] / 2;
  return op_case(
      name, {in("cosines", {11, half}), in("sines", {11, half}), updated("x", x).strided(gap)},
      maker(x[0], inverse, "x"),
      sum_of(2.0, 2.0, "two products of factors up to 1, added; twice over when run twice"));
}

}  // namespace

Cases rope_cases() {
  return {rope_case("forward", {5, 3, 14}, false, 0), rope_case("inverse", {5, 3, 14}, true, 3),
          rope_case("model", {40, 9, 64}, false, 0), rope_case("one", {1, 1, 2}, false, 0),
          rope_case("empty", {0, 2, 8}, false, 0)};
}

GradientCases rope_gradients() {
  const Shape x = {5, 2, 6};
  return {{std::string(ops::Rope::kName),
           "inverse_is_the_gradient",
           {in("cosines", {11, 3}), in("sines", {11, 3}), updated("x", x), updated("d_x", x)},
           runner(maker(5, false, "x")),
           runner(maker(5, true, "d_x")),
           {{"x", "d_x"}},
           {{"x", "d_x"}}}};
}

}  // namespace hone::tests
