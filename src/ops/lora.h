// The narrow products of LoRA (Hu et al., "LoRA: Low-Rank Adaptation of Large Language Models",
// 2021): y += scale * dropout(x) A^T B^T, in two halves so that adapters with the same input share
// the first: their A matrices lie under one another, R is then the sum of their ranks, and each
// second half takes its own columns of h.
#pragma once

#include <string_view>

#include "ops/dropout.h"
#include "ops/op_context.h"

namespace hone::ops {

// h = dropout(x) A^T
struct LoraDown {
  static constexpr std::string_view kName = "lora_down";
  static constexpr auto kSlot = &OpTable::lora_down;

  ConstTensorView x;  // [T, I]
  ConstTensorView a;  // [R, I]
  Dropout dropout;
  TensorView h;  // [T, R]; assigned
};

// y = scale * h B^T, or y += ...
struct LoraUp {
  static constexpr std::string_view kName = "lora_up";
  static constexpr auto kSlot = &OpTable::lora_up;

  ConstTensorView h;  // [T, R]
  ConstTensorView b;  // [O, R]
  double scale = 1.0;
  bool accumulate = false;
  TensorView y;  // [T, O]
};

// d_h = scale * d_y B,  d_b += scale * d_y^T h
struct LoraUpBackward {
  static constexpr std::string_view kName = "lora_up_backward";
  static constexpr auto kSlot = &OpTable::lora_up_backward;

  ConstTensorView d_y;  // [T, O]
  ConstTensorView h;    // [T, R]
  ConstTensorView b;    // [O, R]
  double scale = 1.0;
  TensorView d_h;  // [T, R]; assigned
  TensorView d_b;  // [O, R]; accumulated
};

// d_a += d_h^T dropout(x),  d_x = or += dropout'(d_h A)
struct LoraDownBackward {
  static constexpr std::string_view kName = "lora_down_backward";
  static constexpr auto kSlot = &OpTable::lora_down_backward;

  ConstTensorView d_h;  // [T, R]
  ConstTensorView x;    // [T, I]
  ConstTensorView a;    // [R, I]
  Dropout dropout;
  TensorView d_a;           // [R, I]; accumulated
  TensorView d_x;           // [T, I]; absent when nothing below is trained
  bool accumulate = false;  // add to d_x instead of assigning it
};

void check(const LoraDown& op);
void check(const LoraUp& op);
void check(const LoraUpBackward& op);
void check(const LoraDownBackward& op);
Cost cost(const LoraDown& op);
Cost cost(const LoraUp& op);
Cost cost(const LoraUpBackward& op);
Cost cost(const LoraDownBackward& op);

}  // namespace hone::ops
