// Kernels that are wrong on purpose, and right ones beside them: the emulated device or a
// comparison must tell them apart.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "device/emulated/emulated_cards.h"
#include "kernels/gpu/block_sum.h"
#include "kernels/gpu/launcher.h"

namespace hone::kernels::gpu {
namespace {

enum class Fault {
  none,
  no_barrier_before_reading,
  no_barrier_before_reuse,
  shared_index_off_by_one,
  load_off_by_one,
  store_off_by_one,
  barrier_in_a_branch,
  exchange_in_a_branch,
  wave_width_assumed,
  reads_undefined_share,
};

// Row sums, twice over with the same local data share: sums[row] = sum of x, squares of x.
template <int kWaveWidth, Fault kFault>
struct RowSumsKernel {
  static constexpr std::string_view kName = "row_sums";
  struct Shared {
    WaveParts<float> parts;
  };
  Operand<const float> x;
  Operand<float> sums;  // [rows, 2]
  std::int64_t columns;

  void operator()(const Thread& t, Shared& shared) const {
    float sum = 0.0f, squares = 0.0f;
    const std::int64_t end = columns + (kFault == Fault::load_off_by_one ? 1 : 0);
    for (std::int64_t c = t.index(); c < end; c += t.threads()) {
      const float value = load(t, x, t.block(), c);
      sum += value;
      squares += value * value;
    }
    sum = block_total(t, shared, sum);
    if (kFault != Fault::no_barrier_before_reuse) t.barrier();
    squares = block_total(t, shared, squares);
    if (kFault == Fault::barrier_in_a_branch && t.index() < t.threads() / 2) t.barrier();
    if (t.index() != 0) return;
    store(t, sums, t.block(), 0, sum);
    store(t, sums, t.block(), kFault == Fault::store_off_by_one ? 2 : 1, squares);
  }

  float block_total(const Thread& t, Shared& shared, float value) const {
    constexpr int kWidth = kFault == Fault::wave_width_assumed ? 96 - kWaveWidth : kWaveWidth;
    if (kFault == Fault::exchange_in_a_branch) {
      if (t.index() % kWidth < kWidth / 2) value += t.exchange_xor<kWidth>(value, 1);
    } else {
      value = wave_sum<kWidth>(t, value);
    }
    const int wave = t.index() / kWidth + (kFault == Fault::shared_index_off_by_one ? 31 : 0);
    if (t.index() % kWidth == 0) shared.parts[wave] = value;
    if (kFault != Fault::no_barrier_before_reading) t.barrier();
    float total = shared.parts[0];
    const int waves = t.threads() / kWaveWidth;
    for (int w = 1; w < waves + (kFault == Fault::reads_undefined_share ? 1 : 0); ++w) {
      total += shared.parts[w];
    }
    return total;
  }
};

constexpr std::int64_t kRows = 3;
constexpr std::int64_t kColumns = 201;

// How a variant ended: "" (right), "wrong", or what it threw.
template <Fault kFault>
std::string outcome(const Card& card, std::uint64_t seed) {
  std::vector<float> x(kRows * kColumns);
  std::iota(x.begin(), x.end(), 1.0f);  // sums of small whole numbers are exact
  for (float& value : x) value = static_cast<float>(static_cast<int>(value) % 7);
  std::vector<float> found(kRows * 2, -1.0f);
  EmulatedDevice device({.card = card, .host_memory_is_visible = true});
  device.set_seed(seed);
  ops::OpContext context;
  context.device = &device;
  const Launcher launcher(context, "row_sums");
  const auto operand = launcher.reads<float>({x.data(), DType::f32, {kRows, kColumns}}, "x");
  const auto sums = launcher.writes<float>({found.data(), DType::f32, {kRows, 2}}, "sums");
  try {
    launcher.launch_by_wave(kRows, card.block_threads, [&]<int kWave>() {
      return RowSumsKernel<kWave, kFault>{operand, sums, kColumns};
    });
  } catch (const InternalError& error) {
    return error.what();
  }
  for (std::size_t row = 0; row < kRows; ++row) {
    float sum = 0.0f, squares = 0.0f;
    for (std::size_t c = 0; c < kColumns; ++c) {
      const float value = x[row * kColumns + c];
      sum += value;
      squares += value * value;
    }
    if (found[2 * row] != sum || found[2 * row + 1] != squares) return "wrong";
  }
  return "";
}

constexpr std::uint64_t kSeeds = 20;

template <Fault kFault>
void expect_every_time(const std::string& words) {
  for (const Card& card : emulated_cards()) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const std::string found = outcome<kFault>(card, seed);
      EXPECT_NE(found.find(words), std::string::npos)
          << card.target << ", order " << seed << ": '" << found << "'";
    }
  }
}

// A race need not show in every order, but must among the few that the fast suite tries.
template <Fault kFault>
void expect_race() {
  for (const Card& card : emulated_cards()) {
    int wrong = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
      wrong += outcome<kFault>(card, seed) == "wrong";
    EXPECT_GE(wrong, 5) << card.target;
    const bool at_once = outcome<kFault>(card, 0) == "wrong" ||
                         outcome<kFault>(card, 1) == "wrong" || outcome<kFault>(card, 2) == "wrong";
    EXPECT_TRUE(at_once) << card.target;
  }
}

TEST(BrokenKernels, TheWholeOneIsRight) {
  for (const Card& card : emulated_cards()) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      EXPECT_EQ(outcome<Fault::none>(card, seed), "") << card.target << ", order " << seed;
    }
  }
}

TEST(BrokenKernels, AMissingBarrierIsSeen) {
  expect_race<Fault::no_barrier_before_reading>();
  expect_race<Fault::no_barrier_before_reuse>();
}

TEST(BrokenKernels, AnIndexOffByOneIsNamed) {
  expect_every_time<Fault::load_off_by_one>("loads x[");
  expect_every_time<Fault::load_off_by_one>(", 201] of [3, 201]");
  expect_every_time<Fault::store_off_by_one>("stores sums[");
  expect_every_time<Fault::store_off_by_one>(", 2] of [3, 2]");
  expect_every_time<Fault::shared_index_off_by_one>("local data share: element 3");
  expect_every_time<Fault::shared_index_off_by_one>(" of an array of 32");
}

TEST(BrokenKernels, WaitingInABranchIsNamed) {
  expect_every_time<Fault::barrier_in_a_branch>("a barrier was reached by a part of the block");
  expect_every_time<Fault::exchange_in_a_branch>("an exchange was reached by a part of the wave");
}

TEST(BrokenKernels, UndefinedSharedMemoryIsNotANumber) {
  expect_every_time<Fault::reads_undefined_share>("wrong");
}

// 64 taken on a card of 32 is refused; 32 on a card of 64 leaves half of the parts out.
TEST(BrokenKernels, AnAssumedWaveWidthIsSeen) {
  for (const Card& card : emulated_cards()) {
    const std::string found = outcome<Fault::wave_width_assumed>(card, 1);
    if (card.wave_width == 32) {
      EXPECT_NE(found.find("in waves of 64, the card's have 32"), std::string::npos) << found;
    } else {
      EXPECT_EQ(found, "wrong");
    }
  }
}

}  // namespace
}  // namespace hone::kernels::gpu
