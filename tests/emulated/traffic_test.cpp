// What kernels move, counted load by load: not much more than their operands. What is limited by
// memory on a card cannot be faster than this.
#include <gtest/gtest.h>

#include "emulated/emulated_table.h"
#include "ops/adamw.h"
#include "ops/head.h"
#include "ops/op_case.h"
#include "ops/rms_norm.h"
#include "ops/swiglu.h"

namespace hone::tests {
namespace {

constexpr double kMost = 1.05;
constexpr std::int64_t kRows = 256;
constexpr std::int64_t kWidth = 2000;

// Every card's loads and stores against the bytes that the speed report divides by.
template <class Make>
void expect_traffic(const std::vector<OperandSpec>& specs, const Make& make) {
  const ops::OpTable table = emulated_table();
  for (const Card& card : emulated_cards()) {
    EmulatedDevice device({.card = card, .host_memory_is_visible = true});
    device.record_launches();
    const Operands operands(specs, 3);
    runner(make)({table, 1, &device}, operands);
    double moved = 0.0;
    for (const LaunchRecord& launch : device.launches()) {
      moved += static_cast<double>(launch.loaded_bytes + launch.stored_bytes);
    }
    const double needed = cost(make(operands)).bytes;
    EXPECT_LE(moved, kMost * needed) << card.target;
    EXPECT_GE(moved, 0.99 * needed) << card.target << ": less than was promised";
  }
}

const Shape kMatrix = {kRows, kWidth};

TEST(Traffic, OfResidualAndNorm) {
  expect_traffic({in("x", kMatrix), in("delta", kMatrix), in("weight", {kWidth}),
                  assigned("sum", kMatrix), assigned("y", kMatrix), assigned("inv_rms", {kRows})},
                 [](const Operands& o) {
                   return ops::RmsNormForward{o["x"],   o["delta"], o["weight"], 1e-5,
                                              o["sum"], o["y"],     o["inv_rms"]};
                 });
}

TEST(Traffic, OfTheNormsBackwardAndItsWeights) {
  expect_traffic({in("d_y", kMatrix), in("x", kMatrix), in("weight", {kWidth}),
                  in("inv_rms", {kRows}), updated("d_x", kMatrix), updated("d_weight", {kWidth})},
                 [](const Operands& o) {
                   return ops::RmsNormBackward{o["d_y"], o["x"], o["weight"],  o["inv_rms"],
                                               o["d_x"], false,  o["d_weight"]};
                 });
}

TEST(Traffic, OfSwiGlu) {
  expect_traffic(
      {in("gate", kMatrix), in("up", kMatrix), assigned("out", kMatrix)},
      [](const Operands& o) { return ops::SwiGluForward{o["gate"], o["up"], o["out"]}; });
  expect_traffic({in("d_out", kMatrix), in("gate", kMatrix), in("up", kMatrix),
                  assigned("d_gate", kMatrix), assigned("d_up", kMatrix)},
                 [](const Operands& o) {
                   return ops::SwiGluBackward{o["d_out"], o["gate"], o["up"], o["d_gate"],
                                              o["d_up"]};
                 });
}

TEST(Traffic, OfTheHead) {
  const std::vector<std::int32_t> labels(5, 7);
  const Shape logits = {5, 20000};
  expect_traffic({in("logits", logits), assigned("p", {5}), assigned("lse", {5})},
                 [&](const Operands& o) {
                   return ops::HeadStatistics{o["logits"], labels, o["p"], o["lse"]};
                 });
  expect_traffic({updated("logits", logits), in("lse", {5}), in("c", {5})}, [&](const Operands& o) {
    return ops::HeadGradient{labels, o["lse"], o["c"], o["logits"]};
  });
}

TEST(Traffic, OfAdamW) {
  const Shape flat = {20000};
  expect_traffic({in("g", flat), updated("w", flat), updated("m", flat), updated("v", flat)},
                 [](const Operands& o) {
                   ops::AdamW op;
                   op.gradient = o["g"];
                   op.weight = o["w"];
                   op.first_moment = o["m"];
                   op.second_moment = o["v"];
                   return op;
                 });
}

}  // namespace
}  // namespace hone::tests
