#include "ops/attention.h"

#include "ops/cases.h"

namespace hone::tests {
namespace {

// Sequences as (queries, keys), packed; keys of a cache may have gaps between sequences.
struct Packing {
  std::vector<std::int32_t> query_starts = {0};
  std::vector<std::int32_t> key_starts;
  std::vector<std::int32_t> key_lengths;
  std::int64_t window = 0;
  double scale = 0.3;
  std::int64_t key_rows = 0;

  void add(std::int32_t queries, std::int32_t keys, std::int64_t gap = 0) {
    query_starts.push_back(query_starts.back() + queries);
    key_starts.push_back(static_cast<std::int32_t>(key_rows));
    key_lengths.push_back(keys);
    key_rows += keys + gap;
  }
  std::int64_t rows() const { return query_starts.back(); }
  ops::AttentionLayout layout() const {
    return {query_starts, key_starts, key_lengths, window, scale};
  }
};

Packing training(const std::vector<std::int32_t>& lengths, std::int64_t window = 0) {
  Packing packing;
  packing.window = window;
  for (const std::int32_t length : lengths) packing.add(length, length);
  return packing;
}

auto forward(const Packing& packing) {
  return [packing](const Operands& o) {
    return ops::AttentionForward{packing.layout(), o["q"],   o["k"],
                                 o["v"],           o["out"], o["log_sum_exp"]};
  };
}

auto backward(const Packing& packing) {
  return [packing](const Operands& o) {
    return ops::AttentionBackward{packing.layout(), o["d_out"],       o["q"],   o["k"],   o["v"],
                                  o["out"],         o["log_sum_exp"], o["d_q"], o["d_k"], o["d_v"]};
  };
}

struct Heads {
  std::int64_t heads, kv_heads, width;
};

// A score is a sum of `width` products of factors below 2; its rounding moves a probability by that
// much relatively. Outputs are averages of values below 1.
Tolerance forward_tolerance(const Heads& h) {
  return {8.0, 4.0 * static_cast<double>(h.width) + 16.0, 1.0, "scores, exp, a weighted average"};
}

// d_k and d_v sum over all later queries of a group, d_score over the width.
Tolerance backward_tolerance(const Heads& h, std::int64_t rows) {
  const double terms =
      4.0 * static_cast<double>(h.width) + static_cast<double>(rows * h.heads / h.kv_heads);
  return {16.0, terms, 1.0, "scores, then sums over queries, keys and width"};
}

std::vector<OperandSpec> forward_specs(const Packing& p, const Heads& h, std::int64_t gap) {
  const std::int64_t rows = p.rows();
  return {in("q", {rows, h.heads, h.width}).between(-2.0, 2.0).strided(gap),
          in("k", {p.key_rows, h.kv_heads, h.width}).between(-2.0, 2.0).strided(2 * gap),
          in("v", {p.key_rows, h.kv_heads, h.width}).strided(gap),
          assigned("out", {rows, h.heads, h.width}).strided(gap),
          assigned("log_sum_exp", {rows, h.heads})};
}

OpCase forward_case(const std::string& name, const Packing& p, const Heads& h,
                    std::int64_t gap = 0) {
  OpCase c = op_case(name, forward_specs(p, h, gap), forward(p), forward_tolerance(h));
  c.rounds_visibly = p.rows() > 8 && h.width > 8;
  return c;
}

// The backward's own operands; out and log_sum_exp come from the same device's forward, because
// only then are the probabilities that it remakes ones.
OpCase backward_case(const std::string& name, const Packing& p, const Heads& h,
                     std::int64_t gap = 0) {
  const std::int64_t rows = p.rows();
  std::vector<OperandSpec> specs = forward_specs(p, h, gap);
  const Shape q = {rows, h.heads, h.width};
  const Shape k = {rows, h.kv_heads, h.width};
  for (OperandSpec spec :
       {in("d_out", q), assigned("d_q", q), assigned("d_k", k), assigned("d_v", k)}) {
    specs.push_back(spec.strided(gap));
  }
  OpCase c = op_case(name, specs, backward(p), backward_tolerance(h, rows));
  const Runner prepare = runner(forward(p));
  const Runner run = c.run;
  c.run = [prepare, run](const Machine& machine, const Operands& operands) {
    prepare(machine, operands);
    run(machine, operands);
  };
  c.rounds_visibly = rows > 8 && h.width > 8;
  return c;
}

GradientCase gradient_case(const std::string& name, const Packing& p, const Heads& h) {
  const std::int64_t rows = p.rows();
  std::vector<OperandSpec> specs = forward_specs(p, h, 0);
  specs.push_back(in("d_out", {rows, h.heads, h.width}));
  specs.push_back(assigned("d_q", {rows, h.heads, h.width}));
  specs.push_back(assigned("d_k", {rows, h.kv_heads, h.width}));
  specs.push_back(assigned("d_v", {rows, h.kv_heads, h.width}));
  return {std::string(ops::AttentionBackward::kName),
          name,
          specs,
          runner(forward(p)),
          runner(backward(p)),
          {{"out", "d_out"}},
          {{"q", "d_q"}, {"k", "d_k"}, {"v", "d_v"}}};
}

Packing caches() {
  Packing p;
  p.add(1, 1, 3);
  p.add(1, 77, 2);
  p.add(5, 40);
  p.add(0, 9);
  p.add(33, 70, 1);
  return p;
}

// One query each, some with caches so long that a kernel may cut them into parts.
Packing decoding(std::int64_t window) {
  Packing p;
  p.window = window;
  for (const std::int32_t keys : {1, 600, 256, 257, 40}) p.add(1, keys, 1);
  return p;
}

}  // namespace

Cases attention_cases() {
  const Heads small = {3, 1, 7};
  const Heads model = {9, 3, 64};
  Packing windowed_caches = caches();
  windowed_caches.window = 6;
  return {forward_case("one", training({1}), {1, 1, 1}),
          forward_case("empty", training({}), small),
          forward_case("no_queries", training({0, 0}), small),
          forward_case("packed", training({3, 1, 17, 0, 40}), small, 3),
          forward_case("model", training({30, 75, 5}), model),
          forward_case("window", training({70, 40}, 9), {4, 2, 16}),
          forward_case("wide_window", training({90}, 64), {2, 2, 24}),
          forward_case("many_heads", training({9, 2}), {70, 1, 5}),
          forward_case("width_128", training({40}), {2, 1, 128}),
          forward_case("caches", caches(), {4, 2, 20}, 4),
          forward_case("windowed_caches", windowed_caches, {4, 2, 16}),
          forward_case("decoding", decoding(0), {6, 2, 20}, 2),
          forward_case("windowed_decoding", decoding(300), {20, 1, 16}),
          backward_case("one", training({1}), {1, 1, 1}),
          backward_case("empty", training({}), small),
          backward_case("packed", training({3, 1, 17, 0, 40}), small, 3),
          backward_case("model", training({30, 75, 5}), model),
          backward_case("one_sequence", training({150}), {2, 1, 32}),
          backward_case("window", training({70, 40}, 9), {4, 2, 16}),
          backward_case("wide_window", training({140}, 64), {2, 2, 16}),
          backward_case("many_heads", training({9, 2}), {70, 1, 5})};
}

GradientCases attention_gradients() {
  return {gradient_case("packed", training({3, 1, 5}), {4, 2, 3}),
          gradient_case("window", training({6}, 2), {2, 1, 2}),
          gradient_case("one", training({1}), {1, 1, 1})};
}

}  // namespace hone::tests
