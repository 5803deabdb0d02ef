#include "ops/rows.h"

#include "ops/cases.h"

namespace hone::tests {
namespace {

// Rows that differ from one another, not in order.
std::vector<std::int32_t> some_rows(std::int64_t count, std::int64_t of) {
  std::vector<std::int32_t> rows;
  for (std::int64_t i = 0; i < count; ++i) {
    rows.push_back(static_cast<std::int32_t>((of - 1 - i * 3 % of + of) % of));
  }
  return rows;
}

auto gather(std::int64_t count, std::int64_t of) {
  return [rows = some_rows(count, of)](const Operands& o) {
    return ops::GatherRows{rows, o["x"], o["y"]};
  };
}

auto scatter(std::int64_t count, std::int64_t of) {
  return [rows = some_rows(count, of)](const Operands& o) {
    return ops::ScatterAddRows{rows, o["d_y"], o["d_x"]};
  };
}

OpCase gather_case(const std::string& name, std::int64_t count, const Shape& x, std::int64_t gap) {
  return op_case(name, {in("x", x).strided(gap), assigned("y", {count, x[1]})}, gather(count, x[0]),
                 exact());
}

OpCase scatter_case(const std::string& name, std::int64_t count, const Shape& x, std::int64_t gap) {
  return op_case(name, {in("d_y", {count, x[1]}), updated("d_x", x).strided(gap)},
                 scatter(count, x[0]), sum_of(1.0, 2.0, "one addition"));
}

}  // namespace

Cases rows_cases() {
  return {gather_case("plain", 5, {10, 37}, 3),  gather_case("large", 70, {100, 576}, 0),
          gather_case("one", 1, {1, 1}, 0),      gather_case("empty", 0, {4, 8}, 0),
          scatter_case("plain", 5, {10, 37}, 3), scatter_case("large", 70, {100, 576}, 0),
          scatter_case("one", 1, {1, 1}, 0),     scatter_case("empty", 0, {4, 8}, 0)};
}

GradientCases rows_gradients() {
  return {{std::string(ops::ScatterAddRows::kName),
           "plain",
           {in("x", {7, 3}), assigned("y", {4, 3}), in("d_y", {4, 3}), updated("d_x", {7, 3})},
           runner(gather(4, 7)),
           runner(scatter(4, 7)),
           {{"y", "d_y"}},
           {{"x", "d_x"}}}};
}

}  // namespace hone::tests
