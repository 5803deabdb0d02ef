// Attention on bf16 operands: on the matrix unit where the card has one, by the vector kernel where
// it has none or where a long cache is read.
#include <gtest/gtest.h>

#include <algorithm>

#include "emulated/emulated_table.h"
#include "ops/attention.h"
#include "ops/promises.h"

namespace hone::tests {
namespace {

struct Packing {
  std::vector<std::int32_t> query_starts = {0}, key_starts, key_lengths;
  std::int64_t window = 0;
  std::int64_t key_rows = 0;

  // Sequences as (queries, keys).
  Packing(const std::vector<std::pair<int, int>>& sequences, std::int64_t seen) : window(seen) {
    for (const auto& [queries, keys] : sequences) {
      query_starts.push_back(query_starts.back() + queries);
      key_starts.push_back(static_cast<std::int32_t>(key_rows));
      key_lengths.push_back(keys);
      key_rows += keys + 1;
    }
  }
};

struct Heads {
  std::int64_t heads, kv_heads, width;
};

// Weights are rounded to bf16 before they meet values below 1, results once more; scores, of exact
// inputs, are f32.
OpCase narrow_case(const std::string& name, const Packing& p, const Heads& h) {
  const std::int64_t rows = p.query_starts.back();
  const Shape q = {rows, h.heads, h.width}, kv = {p.key_rows, h.kv_heads, h.width};
  return op_case(
      name,
      {in("q", q).between(-2.0, 2.0).strided(3).as(DType::bf16),
       in("k", kv).between(-2.0, 2.0).strided(5).as(DType::bf16), in("v", kv).as(DType::bf16),
       assigned("out", q).strided(2).as(DType::bf16), assigned("log_sum_exp", {rows, h.heads})},
      [p](const Operands& o) {
        return ops::AttentionForward{{p.query_starts, p.key_starts, p.key_lengths, p.window, 0.3},
                                     o["q"],
                                     o["k"],
                                     o["v"],
                                     o["out"],
                                     o["log_sum_exp"]};
      },
      {1.0, 1.0, 1.0, "one unit of bf16 for the weights, one for the result", 0x1p-8});
}

Cases narrow_cases() {
  return {narrow_case("one", Packing({{1, 1}}, 0), {1, 1, 1}),
          narrow_case("empty", Packing({}, 0), {2, 1, 8}),
          narrow_case("packed", Packing({{3, 3}, {17, 17}, {0, 4}, {40, 40}}, 0), {6, 2, 32}),
          narrow_case("model", Packing({{33, 33}, {5, 70}}, 0), {4, 2, 64}),
          narrow_case("window", Packing({{50, 50}, {7, 30}}, 9), {3, 1, 80}),
          narrow_case("wide_heads", Packing({{20, 20}}, 0), {2, 1, 128}),
          narrow_case("broad_heads", Packing({{20, 20}}, 0), {2, 1, 96}),
          narrow_case("odd_heads", Packing({{20, 20}}, 0), {2, 2, 37}),
          narrow_case("widest_heads", Packing({{9, 9}}, 0), {2, 1, 200}),
          narrow_case("decoding", Packing({{1, 300}, {1, 20}}, 0), {4, 2, 32})};
}

TEST(NarrowAttention, AgreesWithReferenceInEveryOrder) {
  const ops::OpTable table = emulated_table();
  for (const OpCase& c : narrow_cases()) {
    SCOPED_TRACE(c.name);
    const Operands expected = reference(c, 1);
    for (const Card& card : emulated_cards()) {
      SCOPED_TRACE(card.target);
      EmulatedDevice device({.card = card, .host_memory_is_visible = true});
      Bits first;
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        device.set_seed(seed);
        const Operands found = fresh(c);
        c.run({table, 1, &device}, found);
        if (seed == 0) {
          expect_near(c, expected, found, 1.0);
          expect_only_outputs_touched(c, found);
          first = bits_of(c, found);
        }
        EXPECT_TRUE(first == bits_of(c, found)) << "order " << seed << " changed bits";
      }
    }
  }
}

TEST(NarrowAttention, TakesTheMatrixUnitWhereThereIsOne) {
  const ops::OpTable table = emulated_table();
  const OpCase c = narrow_case("model", Packing({{33, 33}}, 0), {4, 2, 64});
  for (const Card& card : emulated_cards()) {
    EmulatedDevice device({.card = card, .host_memory_is_visible = true});
    device.record_launches();
    c.run({table, 1, &device}, fresh(c));
    const bool used = std::any_of(device.launches().begin(), device.launches().end(),
                                  [](const auto& l) { return l.kernel == "attention_matrix"; });
    EXPECT_EQ(used, card.matrix_unit != MatrixUnit::none) << card.target;
  }
}

}  // namespace
}  // namespace hone::tests
