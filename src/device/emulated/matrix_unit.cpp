#include "device/emulated/matrix_unit.h"

#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/half.h"
#include "device/emulated/thread.h"

namespace hone::emulated {
namespace {

constexpr int kSide = 16;

bool is_subnormal(float value) {
  return value != 0.0f && std::fabs(value) < 0x1p-126f;
}

}  // namespace

MatrixShape shape_of(MatrixUnit unit) {
  switch (unit) {
    case MatrixUnit::mfma:
      return {4, 4, 64};
    case MatrixUnit::wmma11:
      return {16, 8, 32};
    case MatrixUnit::wmma12:
      return {8, 8, 32};
    default:
      return {0, 0, 0};
  }
}

int input_depth(MatrixUnit unit, int lane, int element) {
  const int reg = element / 2, half = element % 2;
  switch (unit) {
    case MatrixUnit::mfma:
      return 4 * (lane / 16) + 2 * reg + half;
    case MatrixUnit::wmma12:
      return 8 * (reg / 2) + 4 * (lane / 16) + 2 * (reg % 2) + half;
    default:
      return 2 * reg + half;  // gfx11: lanes 16 to 31 repeat lanes 0 to 15
  }
}

int output_row(MatrixUnit unit, int lane, int reg) {
  switch (unit) {
    case MatrixUnit::mfma:
      return 4 * (lane / 16) + reg;
    case MatrixUnit::wmma12:
      return 8 * (lane / 16) + reg;
    default:
      return 2 * reg + lane / 16;
  }
}

namespace {

// Which lane's which element holds (row of A or column of B, depth).
struct Sources {
  struct Place {
    int lane = 0, element = 0;
  };
  Place at[kSide][kSide] = {};

  explicit Sources(MatrixUnit unit) {
    const MatrixShape shape = shape_of(unit);
    for (int lane = shape.wave_width - 1; lane >= 0; --lane) {
      for (int element = 0; element < shape.inputs; ++element) {
        at[lane % kSide][input_depth(unit, lane, element)] = {lane, element};
      }
    }
  }
};

const Sources& sources_of(MatrixUnit unit) {
  static const Sources mfma(MatrixUnit::mfma);
  static const Sources wmma11(MatrixUnit::wmma11);
  static const Sources wmma12(MatrixUnit::wmma12);
  if (unit == MatrixUnit::mfma) return mfma;
  return unit == MatrixUnit::wmma11 ? wmma11 : wmma12;
}

}  // namespace

MatrixInputs::MatrixInputs(MatrixUnit unit, const std::uint16_t* first, int stride, bool flush)
    : unit_(unit), first_(first), stride_(stride), flush_(flush) {}

float MatrixInputs::input(int side, int line, int depth) const {
  const Sources::Place& place = sources_of(unit_).at[line][depth];
  const std::uint16_t bits =
      first_[place.lane * stride_ + side * shape_of(unit_).inputs + place.element];
  const float value = to_float(BFloat16{bits});
  return flush_ && is_subnormal(value) ? 0.0f : value;
}

float MatrixInputs::output(int lane, int reg, float before) const {
  const int row = output_row(unit_, lane, reg);
  float sum = before;
  for (int k = 0; k < kSide; ++k) sum += input(0, row, k) * input(1, lane % kSide, k);
  return flush_ && is_subnormal(sum) ? 0.0f : sum;
}

bool MatrixInputs::repeated() const {
  if (unit_ != MatrixUnit::wmma11) return true;
  const std::size_t bytes = 2 * static_cast<std::size_t>(shape_of(unit_).inputs) * sizeof(*first_);
  for (int lane = 0; lane < kSide; ++lane) {
    const auto* one = first_ + lane * stride_;
    if (std::memcmp(one, one + kSide * stride_, bytes) != 0) return false;
  }
  return true;
}

void Thread::multiply_matrices(MatrixUnit unit, const std::uint16_t* a, const std::uint16_t* b,
                               int inputs, float* d, int outputs) const {
  const LaunchFacts& facts = block_.facts();
  const MatrixShape shape = shape_of(unit);
  if (unit != facts.card->matrix_unit || unit == MatrixUnit::none) {
    throw InternalError(facts.kernel + " on " + facts.card->target +
                        ": a matrix instruction that the card does not have");
  }
  HONE_ASSERT(inputs == shape.inputs && outputs == shape.outputs, inputs, outputs);
  const int set = set_;
  set_ = 1 - set_;
  std::uint16_t* own = block_.matrix_words(set, index_);
  std::memcpy(own, a, static_cast<std::size_t>(inputs) * sizeof *own);
  std::memcpy(own + inputs, b, static_cast<std::size_t>(inputs) * sizeof *own);
  block_.wait(index_, Wait::exchange);
  const int lane = index_ % shape.wave_width;
  const MatrixInputs wave(unit, block_.matrix_words(set, index_ - lane), Block::kMatrixWords,
                          facts.card->matrix_unit_flushes);
  if (lane == 0 && !wave.repeated()) {
    throw InternalError(facts.kernel + " on " + facts.card->target +
                        ": lanes 16 to 31 do not repeat what lanes 0 to 15 multiply");
  }
  for (int reg = 0; reg < outputs; ++reg) d[reg] = wave.output(lane, reg, d[reg]);
}

}  // namespace hone::emulated
