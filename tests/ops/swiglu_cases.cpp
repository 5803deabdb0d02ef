#include "ops/swiglu.h"

#include "ops/cases.h"

namespace hone::tests {
namespace {

ops::SwiGluForward forward(const Operands& o) {
  return {o["gate"], o["up"], o["out"]};
}

ops::SwiGluBackward backward(const Operands& o) {
  return {o["d_out"], o["gate"], o["up"], o["d_gate"], o["d_up"]};
}

// exp within 1.5 units, a sum, a division, products; where gate is near -1.28 the two terms of the
// slope cancel, so an absolute part remains.
const Tolerance kTolerance = {8.0, 4.0, 1.0, "exp, division and three products"};

OpCase forward_case(const std::string& name, const Shape& shape, double range, std::int64_t gap) {
  OpCase c = op_case(name,
                     {in("gate", shape).between(-range, range).strided(gap), in("up", shape),
                      assigned("out", shape).strided(gap)},
                     forward, kTolerance);
  c.may_share = {{"out", "gate"}, {"out", "up"}};
  return c;
}

OpCase backward_case(const std::string& name, const Shape& shape, double range, std::int64_t gap) {
  OpCase c = op_case(name,
                     {in("d_out", shape).strided(gap), in("gate", shape).between(-range, range),
                      in("up", shape), assigned("d_gate", shape), assigned("d_up", shape)},
                     backward, kTolerance);
  c.may_share = {{"d_gate", "gate"}, {"d_up", "up"}};
  return c;
}

}  // namespace

Cases swiglu_cases() {
  Cases cases = {
      forward_case("plain", {5, 37}, 4.0, 0),    forward_case("far", {3, 70}, 200.0, 3),
      forward_case("model", {20, 1536}, 4.0, 0), forward_case("one", {1, 1}, 4.0, 0),
      forward_case("empty", {0, 8}, 4.0, 0),     backward_case("plain", {5, 37}, 4.0, 2),
      backward_case("far", {3, 70}, 80.0, 0),    backward_case("model", {20, 1536}, 4.0, 0),
      backward_case("one", {1, 1}, 4.0, 0),      backward_case("empty", {0, 8}, 4.0, 0)};
  cases[2].rounds_visibly = true;
  cases[7].rounds_visibly = true;
  return cases;
}

GradientCases swiglu_gradients() {
  const Shape shape = {3, 5};
  return {{std::string(ops::SwiGluBackward::kName),
           "plain",
           {in("gate", shape).between(-3.0, 3.0), in("up", shape), assigned("out", shape),
            in("d_out", shape), assigned("d_gate", shape), assigned("d_up", shape)},
           runner(forward),
           runner(backward),
           {{"out", "d_out"}},
           {{"gate", "d_gate"}, {"up", "d_up"}}}};
}

}  // namespace hone::tests
