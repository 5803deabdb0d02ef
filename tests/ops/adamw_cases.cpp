#include "ops/adamw.h"

#include "ops/cases.h"

namespace hone::tests {
namespace {

struct Storage {
  DType weight;
  DType state;
  bool stochastic;
};

auto maker(const Storage& storage, std::int64_t step, std::uint64_t first_element) {
  return [=](const Operands& o) {
    ops::AdamW op;
    op.gradient = o["gradient"];
    op.weight = o["weight"];
    op.first_moment = o["first"];
    op.second_moment = o["second"];
    op.learning_rate = 1e-3;
    op.weight_decay = 0.1;
    op.gradient_scale = 0.7;
    op.step = step;
    op.stochastic_rounding = storage.stochastic;
    op.seed = 99;
    op.first_element = first_element;
    return op;
  };
}

OpCase adamw_case(const std::string& name, std::int64_t count, const Storage& storage,
                  std::int64_t step, std::uint64_t first_element = 0) {
  const bool narrow = storage.weight != DType::f32 || storage.state != DType::f32;
  OpCase c = op_case(
      name,
      {in("gradient", {count}), updated("weight", {count}).as(storage.weight),
       updated("first", {count}).as(storage.state).between(-0.1, 0.1),
       updated("second", {count}).as(storage.state).between(0.001, 0.01)},
      maker(storage, step, first_element),
      {16.0, 2.0, 0.1, "a dozen f32 operations on values below 1; the step is 1e-3 of a ratio"});
  c.reference_in_own_dtypes = true;
  // A value computed in f32 may lie on the other side of a rounding boundary of bf16: one unit.
  if (narrow) c.tolerance = {1.5, 0.01, 0.1, "one unit of bf16", 0x1p-7};
  return c;
}

// Gradients so small that epsilon holds the step down.
OpCase tiny_case() {
  OpCase c = adamw_case("tiny", 200, {DType::f32, DType::f32, false}, 3);
  c.operands = {
      in("gradient", {200}).between(-1e-8, 1e-8), updated("weight", {200}).between(-0.01, 0.01),
      updated("first", {200}).between(-1e-8, 1e-8), updated("second", {200}).between(0.0, 1e-16)};
  c.tolerance = {16.0, 16.0, 1e-3, "a dozen f32 operations; a step of up to 1e-3"};
  return c;
}

}  // namespace

Cases adamw_cases() {
  const Storage f32 = {DType::f32, DType::f32, false};
  const Storage bf16 = {DType::bf16, DType::bf16, false};
  const Storage noisy = {DType::bf16, DType::bf16, true};
  Cases cases = {
      adamw_case("f32", 1003, f32, 3),
      tiny_case(),
      adamw_case("first_step", 37, f32, 1),
      adamw_case("bf16", 1003, bf16, 3),
      adamw_case("bf16_state", 77, {DType::f32, DType::bf16, false}, 2),
      adamw_case("bf16_weight", 77, {DType::bf16, DType::f32, true}, 2),
      adamw_case("noisy", 34000, noisy, 5),
      adamw_case("noisy_at_the_carry", 100, noisy, 5, (std::uint64_t{1} << 32) - 37),
      adamw_case("one", 1, f32, 1),
      adamw_case("empty", 0, f32, 1),
  };
  cases[0].rounds_visibly = true;
  return cases;
}

}  // namespace hone::tests
