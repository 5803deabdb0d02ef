// The kernels' idea of the matrix units' registers (kernels/gpu/matrix_unit.h) against the emulated
// units, whose layouts are written from the manuals; and ideas that are wrong.
#include "kernels/gpu/matrix_unit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "device/emulated/emulated_cards.h"
#include "kernels/gpu/launcher.h"

namespace hone::kernels::gpu {
namespace {

enum class Fault { none, depth_swapped, rows_swapped, lanes_differ, wrong_unit };

struct Nothing {};

// d = a b^T, then e = d c with d's registers as input.
template <class Unit, Fault kFault>
struct TwoProductsKernel {
  static constexpr std::string_view kName = "two_products";
  static constexpr int kWave = Unit::kWave;
  using Shared = Nothing;
  Operand<const BFloat16> a, b, c;
  Operand<float> d, e;

  void operator()(const Thread& t, Shared&) const {
    const int lane = t.index() % kWave, line = matrix_line(lane);
    Fragment<Unit::kInputs> left, right;
    for (int i = 0; i < Unit::kInputs; ++i) {
      int depth = Unit::depth(lane, i);
      put(right, i, load(t, b, line, depth));
      if (kFault == Fault::depth_swapped) depth = i * (kMatrixSide / Unit::kInputs) + lane / 16;
      const bool differs = kFault == Fault::lanes_differ && lane >= 16;
      put(left, i, differs ? BFloat16{} : load(t, a, line, depth % kMatrixSide));
    }
    float sum[Unit::kOutputs] = {};
    using Used =
        std::conditional_t<kFault == Fault::wrong_unit && Unit::kInputs == 8, Wmma11, Unit>;
    if constexpr (std::is_same_v<Used, Unit>) {
      multiply_matrices<Unit>(t, left, right, sum);
    } else {
      const Fragment<Used::kInputs> wide = {};
      multiply_matrices<Used>(t, wide, wide, sum);
    }
    for (int g = 0; g < Unit::kOutputs; ++g) store(t, d, row(lane, g), line, sum[g]);
    // e^T = c^T d^T: the columns of d are the lines of this product too.
    Unit::as_input(t, sum, right);
    for (int i = 0; i < Unit::kInputs; ++i) put(left, i, load(t, c, Unit::key(lane, i), line));
    float second[Unit::kOutputs] = {};
    multiply_matrices<Unit>(t, left, right, second);
    for (int g = 0; g < Unit::kOutputs; ++g) store(t, e, Unit::row(lane, g), line, second[g]);
  }

  static int row(int lane, int output) {
    if (kFault != Fault::rows_swapped) return Unit::row(lane, output);
    return output * (kMatrixSide / Unit::kOutputs) + (lane / 16 + 1) % (kWave / 16);
  }
};

using Matrix = std::vector<BFloat16>;
constexpr int kSize = kMatrixSide * kMatrixSide;

// Small whole numbers: every sum is exact, in bf16 too where it must be.
Matrix numbers(int seed, int range) {
  Matrix matrix;
  for (int i = 0; i < kSize; ++i) {
    const unsigned mixed = static_cast<unsigned>(i + 256 * seed) * 2654435761u >> 13;
    matrix.push_back(to_bfloat16(static_cast<float>(static_cast<int>(mixed % 1000) % range - 1)));
  }
  return matrix;
}

struct Results {
  std::vector<float> d = std::vector<float>(kSize, NAN), e = std::vector<float>(kSize, NAN);
};

template <class Unit, Fault kFault>
Results run_unit(const Card& card, const Matrix& a, const Matrix& b, const Matrix& c) {
  EmulatedDevice device({.card = card, .host_memory_is_visible = true});
  device.set_seed(9);
  ops::OpContext context;
  context.device = &device;
  const Launcher launcher(context, "two_products");
  Results r;
  const Shape square = {kMatrixSide, kMatrixSide};
  const auto in = [&](const Matrix& m) {
    return launcher.reads<BFloat16>(ConstTensorView(m.data(), DType::bf16, square), "input");
  };
  const auto out = [&](std::vector<float>& m) {
    return launcher.writes<float>(TensorView(m.data(), DType::f32, square), "output");
  };
  launcher.launch(1, Unit::kWave,
                  TwoProductsKernel<Unit, kFault>{in(a), in(b), in(c), out(r.d), out(r.e)});
  return r;
}

template <Fault kFault>
Results run_on(const Card& card, const Matrix& a, const Matrix& b, const Matrix& c) {
  if (card.matrix_unit == MatrixUnit::mfma) return run_unit<Mfma, kFault>(card, a, b, c);
  if (card.matrix_unit == MatrixUnit::wmma11) return run_unit<Wmma11, kFault>(card, a, b, c);
  return run_unit<Wmma12, kFault>(card, a, b, c);
}

float at(const Matrix& m, int row, int column) {
  return to_float(m[static_cast<std::size_t>(row * kMatrixSide + column)]);
}

Results expected(const Matrix& a, const Matrix& b, const Matrix& c) {
  Results r;
  for (int i = 0; i < kMatrixSide; ++i) {
    for (int j = 0; j < kMatrixSide; ++j) {
      float sum = 0.0f;
      for (int k = 0; k < kMatrixSide; ++k) sum += at(a, i, k) * at(b, j, k);
      r.d[static_cast<std::size_t>(i * kMatrixSide + j)] = sum;
    }
  }
  for (int i = 0; i < kMatrixSide; ++i) {
    for (int j = 0; j < kMatrixSide; ++j) {
      float sum = 0.0f;
      for (int k = 0; k < kMatrixSide; ++k) {
        sum += at(c, k, i) * r.d[static_cast<std::size_t>(k * kMatrixSide + j)];
      }
      r.e[static_cast<std::size_t>(i * kMatrixSide + j)] = sum;
    }
  }
  return r;
}

const Card& card_named(const std::string& target) {
  for (const Card& card : emulated_cards()) {
    if (card.target == target) return card;
  }
  throw InternalError(target);
}

const Matrix kA = numbers(1, 4), kB = numbers(2, 3), kC = numbers(5, 5);

class MatrixUnits : public testing::TestWithParam<const char*> {};

TEST_P(MatrixUnits, MultiplyAndTakeTheirOwnOutput) {
  const Results found = run_on<Fault::none>(card_named(GetParam()), kA, kB, kC);
  const Results wanted = expected(kA, kB, kC);
  EXPECT_EQ(found.d, wanted.d);
  EXPECT_EQ(found.e, wanted.e);
}

TEST_P(MatrixUnits, ShowSwappedLayouts) {
  const Card& card = card_named(GetParam());
  const Results wanted = expected(kA, kB, kC);
  EXPECT_NE(run_on<Fault::rows_swapped>(card, kA, kB, kC).d, wanted.d);
  if (card.matrix_unit != MatrixUnit::wmma11) {  // whose depth is in one lane, in order
    EXPECT_NE(run_on<Fault::depth_swapped>(card, kA, kB, kC).d, wanted.d);
  }
}

INSTANTIATE_TEST_SUITE_P(Cards, MatrixUnits,
                         testing::Values("gfx90a", "gfx942", "gfx1100", "gfx1201"),
                         [](const auto& one) { return std::string(one.param); });

template <Fault kFault>
std::string refusal(const std::string& target) {
  try {
    run_on<kFault>(card_named(target), kA, kB, kC);
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

TEST(MatrixUnit, RefusesWhatTheCardCannotDo) {
  EXPECT_EQ(refusal<Fault::lanes_differ>("gfx1100"),
            "two_products on gfx1100: lanes 16 to 31 do not repeat what lanes 0 to 15 multiply");
  EXPECT_EQ(refusal<Fault::wrong_unit>("gfx1201"),
            "two_products on gfx1201: a matrix instruction that the card does not have");
  EXPECT_EQ(refusal<Fault::none>("gfx1030"),
            "two_products on gfx1030: a matrix instruction that the card does not have");
}

// gfx90a alone takes subnormal inputs for zero.
TEST(MatrixUnit, FlushesSubnormalsWhereTheCardDoes) {
  Matrix tiny = numbers(1, 4), ones(kSize, to_bfloat16(1.0f));
  for (BFloat16& value : tiny) value = BFloat16{0x0040};  // half of the smallest normal number
  for (const Card& card : emulated_cards()) {
    if (card.matrix_unit == MatrixUnit::none) continue;
    const Results found = run_on<Fault::none>(card, tiny, ones, kC);
    const float wanted = card.target == "gfx90a" ? 0.0f : 16.0f * to_float(BFloat16{0x0040});
    EXPECT_EQ(found.d, std::vector<float>(kSize, wanted)) << card.target;
  }
}

}  // namespace
}  // namespace hone::kernels::gpu
