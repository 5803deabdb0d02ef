#include "ops/embedding.h"

#include <algorithm>
#include <numeric>

#include "ops/cases.h"

namespace hone::tests {
namespace {

// Few tokens of a vocabulary often, as in text.
std::vector<std::int32_t> some_tokens(std::int64_t count, std::int64_t vocabulary) {
  std::vector<std::int32_t> tokens;
  for (std::int64_t t = 0; t < count; ++t) {
    const std::int64_t token = t % 3 == 0 ? 2 : t * t * 5 + t;
    tokens.push_back(static_cast<std::int32_t>(token % vocabulary));
  }
  return tokens;
}

std::vector<std::int32_t> order_of(const std::vector<std::int32_t>& tokens) {
  std::vector<std::int32_t> order(tokens.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return tokens[static_cast<std::size_t>(a)] < tokens[static_cast<std::size_t>(b)];
  });
  return order;
}

auto forward(std::int64_t count, std::int64_t vocabulary) {
  return [tokens = some_tokens(count, vocabulary)](const Operands& o) {
    return ops::EmbeddingForward{tokens, o["table"], o["out"]};
  };
}

auto backward(std::int64_t count, std::int64_t vocabulary) {
  const std::vector<std::int32_t> tokens = some_tokens(count, vocabulary);
  return [tokens, order = order_of(tokens)](const Operands& o) {
    return ops::EmbeddingBackward{tokens, order, o["d_out"], o["d_table"]};
  };
}

OpCase forward_case(const std::string& name, std::int64_t count, const Shape& table, DType dtype) {
  return op_case(name,
                 {in("table", table).as(dtype).strided(2), assigned("out", {count, table[1]})},
                 forward(count, table[0]), exact());
}

OpCase backward_case(const std::string& name, std::int64_t count, const Shape& table) {
  return op_case(name, {in("d_out", {count, table[1]}).strided(1), updated("d_table", table)},
                 backward(count, table[0]),
                 sum_of(static_cast<double>(count), 1.0, "rows of one token are added"));
}

}  // namespace

Cases embedding_cases() {
  return {forward_case("f32", 9, {7, 37}, DType::f32),
          forward_case("bf16", 9, {7, 37}, DType::bf16),
          forward_case("f16", 9, {7, 37}, DType::f16),
          forward_case("one", 1, {1, 1}, DType::f32),
          forward_case("empty", 0, {7, 8}, DType::f32),
          backward_case("plain", 9, {7, 37}),
          backward_case("many", 400, {50, 130}),
          backward_case("one_token", 60, {1, 600}),
          backward_case("one", 1, {1, 1}),
          backward_case("empty", 0, {7, 8})};
}

GradientCases embedding_gradients() {
  return {{std::string(ops::EmbeddingBackward::kName),
           "plain",
           {in("table", {5, 3}), assigned("out", {8, 3}), in("d_out", {8, 3}),
            updated("d_table", {5, 3})},
           runner(forward(8, 5)),
           runner(backward(8, 5)),
           {{"out", "d_out"}},
           {{"table", "d_table"}}}};
}

}  // namespace hone::tests
