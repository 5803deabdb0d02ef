#include "ops/elementwise.h"

#include "ops/cases.h"

namespace hone::tests {
namespace {

ops::Cast cast(const Operands& o) {
  return {o["from"], o["to"]};
}

ops::AddScaled add_scaled(const Operands& o) {
  ops::AddScaled op;
  op.x = o["x"];
  op.scale = 0.75;
  op.y = o["y"];
  return op;
}

OpCase cast_case(DType from, DType to, std::int64_t count) {
  const std::string name = std::string(hone::name(from)) + "_to_" + std::string(hone::name(to)) +
                           "_" + std::to_string(count);
  OpCase c = op_case(
      name,
      {in("from", {count}).as(from).between(-70000.0, 70000.0), assigned("to", {count}).as(to)},
      cast, exact());
  c.reference_in_own_dtypes = true;
  return c;
}

OpCase add_case(const std::string& name, const Shape& shape, std::int64_t gap) {
  return op_case(name, {in("x", shape), updated("y", shape).strided(gap)}, add_scaled,
                 sum_of(1.0, 2.0, "one multiply-add"));
}

}  // namespace

Cases elementwise_cases() {
  Cases cases = {add_case("plain", {5, 37}, 2), add_case("large", {40, 576}, 0),
                 add_case("one", {1, 1}, 0), add_case("empty", {0, 8}, 0)};
  for (const DType from : {DType::f32, DType::bf16, DType::f16}) {
    for (const DType to : {DType::f32, DType::bf16, DType::f16}) {
      for (const std::int64_t count : {0, 1, 1003}) {
        cases.push_back(cast_case(from, to, count));  // beyond f16's range too
      }
    }
  }
  cases.push_back(cast_case(DType::f32, DType::bf16, 34000));
  return cases;
}

}  // namespace hone::tests
