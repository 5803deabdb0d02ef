#include "ops/rms_norm.h"

#include "ops/cases.h"

namespace hone::tests {
namespace {

ops::RmsNormForward forward(const Operands& o) {
  ops::RmsNormForward op;
  op.x = o["x"];
  op.delta = o["delta"];
  op.weight = o["weight"];
  op.epsilon = 1e-5;
  op.sum = o["sum"];
  op.y = o["y"];
  op.inv_rms = o["inv_rms"];
  return op;
}

ops::RmsNormBackward backward(const Operands& o) {
  ops::RmsNormBackward op;
  op.d_y = o["d_y"];
  op.x = o["x"];
  op.weight = o["weight"];
  op.inv_rms = o["inv_rms"];
  op.d_x = o["d_x"];
  op.d_weight = o["d_weight"];
  return op;
}

ops::RmsNormBackward assigning_backward(const Operands& o) {
  ops::RmsNormBackward op = backward(o);
  op.assign = true;
  return op;
}

Tolerance forward_tolerance(std::int64_t width) {
  // inv_rms passes on half the relative error of the mean of squares.
  return {8.0, static_cast<double>(width) / 8.0, 0.5,
          "sum of `width` squares, a division, a root, two products"};
}

Tolerance backward_tolerance(std::int64_t rows, std::int64_t width) {
  return {16.0, static_cast<double>(width + 2 * rows), 2.0,
          "sums over the width (d_x) and over the rows (d_weight), inv_rms up to 2"};
}

Shape statistic(const Shape& x) {
  return x.rank() == 3 ? Shape{x[0], x[1]} : Shape{x[0]};
}

OpCase forward_case(const std::string& name, const Shape& x, bool fused, DType weight,
                    std::int64_t gap) {
  std::vector<OperandSpec> specs = {in("x", x).strided(gap), in("weight", {x[-1]}).as(weight),
                                    assigned("y", x).strided(gap),
                                    assigned("inv_rms", statistic(x))};
  if (fused) {
    specs.push_back(in("delta", x).strided(gap + 1));
    specs.push_back(assigned("sum", x).strided(gap));
  }
  OpCase c = op_case(name, specs, forward, forward_tolerance(x[-1]));
  if (fused && gap == 0) c.may_share = {{"sum", "x"}};
  return c;
}

OpCase backward_case(const std::string& name, const Shape& x, bool with_weight, bool assign,
                     DType weight = DType::f32) {
  std::vector<OperandSpec> specs = {in("d_y", x), in("x", x).strided(3),
                                    in("weight", {x[-1]}).as(weight),
                                    in("inv_rms", statistic(x)).between(0.5, 2.0)};
  specs.push_back(assign ? assigned("d_x", x) : updated("d_x", x).strided(1));
  if (with_weight) specs.push_back(updated("d_weight", {x[-1]}));
  OpCase c = assign ? op_case(name, specs, assigning_backward, Tolerance())
                    : op_case(name, specs, backward, Tolerance());
  const std::int64_t vectors = x.rank() == 3 ? x[0] * x[1] : x[0];
  c.tolerance = backward_tolerance(vectors, x[-1]);
  if (assign) c.may_share = {{"d_x", "d_y"}};
  return c;
}

GradientCase gradient_case(const std::string& name, const Shape& x, bool fused) {
  std::vector<OperandSpec> specs = {
      in("a", x),   in("weight", {x[-1]}), assigned("inv_rms", statistic(x)), assigned("y", x),
      in("d_y", x), updated("d_x", x),     updated("d_weight", {x[-1]})};
  if (fused) {
    specs.push_back(in("delta", x));
    specs.push_back(assigned("x", x));
  }
  const auto make_forward = [fused](const Operands& o) {
    ops::RmsNormForward op = forward(o);
    op.x = o["a"];
    op.sum = fused ? o["x"] : TensorView();
    return op;
  };
  const auto make_backward = [fused](const Operands& o) {
    ops::RmsNormBackward op = backward(o);
    if (!fused) op.x = o["a"];
    return op;
  };
  GradientCase c = {std::string(ops::RmsNormBackward::kName),
                    name,
                    specs,
                    runner(make_forward),
                    runner(make_backward),
                    {{"y", "d_y"}},
                    {{"a", "d_x"}, {"weight", "d_weight"}}};
  if (fused) c.inputs.push_back({"delta", "d_x"});
  return c;
}

}  // namespace

Cases rms_norm_cases() {
  Cases cases = {
      forward_case("plain", {5, 37}, false, DType::f32, 0),
      forward_case("fused", {5, 37}, true, DType::f32, 0),
      forward_case("wide", {40, 576}, true, DType::f32, 0),
      forward_case("strided", {3, 64}, true, DType::bf16, 5),
      forward_case("half_weight", {2, 9}, false, DType::f16, 2),
      forward_case("heads", {6, 3, 24}, false, DType::f32, 7),
      forward_case("one", {1, 1}, false, DType::f32, 0),
      forward_case("empty", {0, 16}, false, DType::f32, 0),
      backward_case("plain", {5, 37}, true, false),
      backward_case("assigned", {5, 37}, true, true),
      backward_case("frozen", {7, 64}, false, false, DType::bf16),
      backward_case("blocks", {200, 48}, true, false),
      backward_case("heads", {70, 3, 24}, true, false),
      backward_case("heads_assigned", {70, 3, 24}, true, true, DType::f16),
      backward_case("one", {1, 1}, true, false),
      backward_case("empty", {0, 16}, true, false),
  };
  cases[2].rounds_visibly = true;
  cases[11].rounds_visibly = true;
  return cases;
}

GradientCases rms_norm_gradients() {
  return {gradient_case("plain", {3, 7}, false), gradient_case("fused", {2, 5}, true),
          gradient_case("heads", {2, 3, 4}, false), gradient_case("one", {1, 1}, false)};
}

}  // namespace hone::tests
