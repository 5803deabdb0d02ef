#include "ops/lora.h"

#include "ops/cases.h"

namespace hone::tests {
namespace {

constexpr double kScale = 0.5;

std::vector<std::uint64_t> some_keys(std::int64_t count) {
  std::vector<std::uint64_t> keys;
  for (std::int64_t t = 0; t < count; ++t) {
    keys.push_back(static_cast<std::uint64_t>(t) * 0x9E3779B97F4A7C15u);
  }
  return keys;
}

struct Drop {
  double probability;
  std::vector<std::uint64_t> keys;

  Drop(double p, std::int64_t rows) : probability(p), keys(some_keys(rows)) {}
  ops::Dropout dropout() const { return {probability, 0x123456789ABCDEFu, 3, keys}; }
};

auto down(const Drop& drop) {
  return
      [drop](const Operands& o) { return ops::LoraDown{o["x"], o["a"], drop.dropout(), o["h"]}; };
}

auto up(bool accumulate) {
  return [accumulate](const Operands& o) {
    return ops::LoraUp{o["h"], o["b"], kScale, accumulate, o["y"]};
  };
}

ops::LoraUpBackward up_backward(const Operands& o) {
  return {o["d_y"], o["h"], o["b"], kScale, o["d_h"], o["d_b"]};
}

auto down_backward(const Drop& drop, bool accumulate) {
  return [drop, accumulate](const Operands& o) {
    return ops::LoraDownBackward{o["d_h"], o["x"],   o["a"],    drop.dropout(),
                                 o["d_a"], o["d_x"], accumulate};
  };
}

struct Sizes {
  std::int64_t rows, width, rank;

  std::string name() const {
    return std::to_string(rows) + "_" + std::to_string(width) + "_" + std::to_string(rank);
  }
};

Tolerance tolerance(std::int64_t terms, double factor = 1.0) {
  return sum_of(static_cast<double>(terms + 2), factor, "sum of products of factors below 1");
}

OpCase down_case(const Sizes& s, double probability, std::int64_t gap) {
  OpCase c =
      op_case(s.name() + (probability > 0.0 ? "_dropout" : ""),
              {in("x", {s.rows, s.width}).strided(gap), in("a", {s.rank, s.width}),
               assigned("h", {s.rows, s.rank}).strided(gap)},
              down(Drop(probability, s.rows)), tolerance(s.width, 1.0 / (1.0 - probability)));
  c.rounds_visibly = s.width >= 32 && s.rows > 1;
  return c;
}

OpCase up_case(const Sizes& s, bool accumulate, std::int64_t gap) {
  const Shape y = {s.rows, s.width};
  OperandSpec to = accumulate ? updated("y", y) : assigned("y", y);
  return op_case(
      s.name() + (accumulate ? "_onto" : ""),
      {in("h", {s.rows, s.rank}).strided(gap), in("b", {s.width, s.rank}), to.strided(2 * gap)},
      up(accumulate), tolerance(s.rank));
}

OpCase up_backward_case(const Sizes& s, std::int64_t gap) {
  OpCase c = op_case(s.name(),
                     {in("d_y", {s.rows, s.width}).strided(gap), in("h", {s.rows, s.rank}),
                      in("b", {s.width, s.rank}), assigned("d_h", {s.rows, s.rank}),
                      updated("d_b", {s.width, s.rank}).strided(gap)},
                     up_backward, tolerance(std::max(s.rows, s.width)));
  c.rounds_visibly = s.width >= 32 && s.rows > 1;
  return c;
}

enum class Below { absent, assigned, accumulated };

OpCase down_backward_case(const Sizes& s, double probability, Below below, std::int64_t gap) {
  const Shape x = {s.rows, s.width};
  std::vector<OperandSpec> specs = {in("d_h", {s.rows, s.rank}), in("x", x).strided(gap),
                                    in("a", {s.rank, s.width}), updated("d_a", {s.rank, s.width})};
  if (below == Below::assigned) specs.push_back(assigned("d_x", x).strided(gap));
  if (below == Below::accumulated) specs.push_back(updated("d_x", x));
  const std::string suffix =
      std::string(probability > 0.0 ? "_dropout" : "") + (below == Below::absent     ? "_last"
                                                          : below == Below::assigned ? ""
                                                                                     : "_onto");
  OpCase c = op_case(s.name() + suffix, specs,
                     down_backward(Drop(probability, s.rows), below == Below::accumulated),
                     tolerance(std::max(s.rows, s.rank), 1.0 / (1.0 - probability)));
  c.rounds_visibly = s.width >= 32 && s.rows > 1;
  return c;
}

GradientCase down_gradient(const std::string& name, double probability, bool accumulate) {
  const Drop drop(probability, 5);
  return {
      std::string(ops::LoraDownBackward::kName),
      name,
      {in("x", {5, 10}), in("a", {3, 10}), assigned("h", {5, 3}), in("d_h", {5, 3}),
       updated("d_a", {3, 10}), accumulate ? updated("d_x", {5, 10}) : assigned("d_x", {5, 10})},
      runner(down(drop)),
      runner(down_backward(drop, accumulate)),
      {{"h", "d_h"}},
      {{"a", "d_a"}, {"x", "d_x"}}};
}

}  // namespace

Cases lora_cases() {
  Cases cases;
  const std::vector<Sizes> sizes = {{1, 1, 1},   {2, 100, 8},  {5, 37, 8},    {130, 100, 24},
                                    {67, 64, 3}, {33, 130, 9}, {20, 48, 128}, {0, 16, 8}};
  for (const Sizes& s : sizes) {
    cases.push_back(down_case(s, 0.0, 3));
    cases.push_back(down_case(s, 0.3, 0));
    cases.push_back(up_case(s, false, 0));
    cases.push_back(up_case(s, true, 5));
    cases.push_back(up_backward_case(s, 2));
    for (const Below below : {Below::absent, Below::assigned, Below::accumulated}) {
      cases.push_back(down_backward_case(s, 0.0, below, 1));
      cases.push_back(down_backward_case(s, 0.3, below, 0));
    }
  }
  return cases;
}

GradientCases lora_gradients() {
  const Shape y = {5, 7};
  const GradientCase up_gradient = {std::string(ops::LoraUpBackward::kName),
                                    "plain",
                                    {in("h", {5, 3}), in("b", {7, 3}), assigned("y", y),
                                     in("d_y", y), assigned("d_h", {5, 3}), updated("d_b", {7, 3})},
                                    runner(up(false)),
                                    runner(up_backward),
                                    {{"y", "d_y"}},
                                    {{"h", "d_h"}, {"b", "d_b"}}};
  return {up_gradient, down_gradient("plain", 0.0, false), down_gradient("dropout", 0.4, false),
          down_gradient("onto", 0.4, true)};
}

}  // namespace hone::tests
