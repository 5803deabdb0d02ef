// The matrix instructions D = A B + C of one wave, 16 x 16 x 16, bf16 in and f32 out, with the
// layouts of their registers: V_MFMA_F32_16X16X16_BF16 (CDNA 2 and 3), V_WMMA_F32_16X16X16_BF16 in
// wave 32 (RDNA 3, RDNA 4). Written as AMD's instruction set manuals and its matrix instruction
// calculator give them: by register and half of it. Not yet compared with a card.
//
// Products of bf16 are exact, sums are f32 in the order of k; a card's order is not documented, so
// its results are compared within a bound.
#pragma once

#include <cstdint>

#include "device/interface/card.h"

namespace hone::emulated {

struct MatrixShape {
  int inputs;   // bf16 of A, and of B, in a lane; register g holds elements 2g and 2g + 1
  int outputs;  // f32 of C and D in a lane, one a register
  int wave_width;
};
MatrixShape shape_of(MatrixUnit unit);

// The depth k of a lane's input element. Its row of A, or column of B, is lane mod 16.
int input_depth(MatrixUnit unit, int lane, int element);
// The row of a lane's output. Its column is lane mod 16.
int output_row(MatrixUnit unit, int lane, int reg);

// Output `reg` of a lane: its value before, plus the sum over k. `words(lane)` are A's and then B's
// elements of a lane.
class MatrixInputs {
 public:
  // first: of lane 0; the next lane's are `stride` further.
  MatrixInputs(MatrixUnit unit, const std::uint16_t* first, int stride, bool flush);
  float output(int lane, int reg, float before) const;
  // Lanes that must repeat one another do.
  bool repeated() const;

 private:
  float input(int side, int line, int depth) const;

  MatrixUnit unit_;
  const std::uint16_t* first_;
  int stride_;
  bool flush_;
};

}  // namespace hone::emulated
