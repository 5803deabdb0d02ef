#include "ops/bias.h"

#include "ops/cases.h"

namespace hone::tests {
namespace {

ops::BiasForward forward(const Operands& o) {
  return {o["bias"], o["y"]};
}

ops::BiasBackward backward(const Operands& o) {
  return {o["d_y"], o["d_bias"]};
}

OpCase forward_case(const std::string& name, const Shape& y, DType bias, std::int64_t gap) {
  return op_case(name, {in("bias", {y[1]}).as(bias), updated("y", y).strided(gap)}, forward,
                 sum_of(1.0, 2.0, "one addition"));
}

OpCase backward_case(const std::string& name, const Shape& d_y, std::int64_t gap) {
  return op_case(name, {in("d_y", d_y).strided(gap), updated("d_bias", {d_y[1]})}, backward,
                 sum_of(static_cast<double>(d_y[0] + 1), 1.0, "sum over rows"));
}

}  // namespace

Cases bias_cases() {
  Cases cases = {forward_case("plain", {5, 37}, DType::f32, 0),
                 forward_case("bf16", {5, 37}, DType::bf16, 4),
                 forward_case("f16", {3, 8}, DType::f16, 0),
                 forward_case("one", {1, 1}, DType::f32, 0),
                 forward_case("empty", {0, 8}, DType::f32, 0),
                 backward_case("plain", {5, 37}, 2),
                 backward_case("blocks", {333, 50}, 0),
                 backward_case("one", {1, 1}, 0),
                 backward_case("empty", {0, 8}, 0)};
  cases[6].rounds_visibly = true;
  return cases;
}

GradientCases bias_gradients() {
  return {{std::string(ops::BiasBackward::kName),
           "plain",
           {in("bias", {5}), updated("y", {4, 5}), in("d_y", {4, 5}), updated("d_bias", {5})},
           runner(forward),
           runner(backward),
           {{"y", "d_y"}},
           {{"bias", "d_bias"}}}};
}

}  // namespace hone::tests
