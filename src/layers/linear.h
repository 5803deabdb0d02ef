// Linear layers that share one input: y_i = x W_i^T + bias_i + scale_i dropout(x) A_i^T B_i^T.
//
// Queries, keys and values are such a group, gate and up another; a single layer is a group of one.
// The narrow LoRA half runs first and the wide product accumulates onto it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/tensor_view.h"
#include "layers/layer_context.h"

namespace hone::layers {

struct Linear {
  ParameterId weight = kNoParameter;  // [O, I]
  ParameterId bias = kNoParameter;    // [O]; none when absent
};

using LinearGroup = std::vector<Linear>;

// Columns of `lora_h` that the group's adapters fill: the sum of their ranks.
std::int64_t lora_columns(const AdapterSet* adapters, const LinearGroup& group);

// x [T, I]; outputs[i] [T, O_i] assigned; lora_h [T, lora_columns] assigned, kept for backward.
void linear_forward(LayerContext& context, const LinearGroup& group, const ConstTensorView& x,
                    const TensorView& lora_h, std::span<const TensorView> outputs);

struct LinearBackward {
  ConstTensorView x;       // as in forward
  ConstTensorView lora_h;  // as forward left it
  std::span<const ConstTensorView> d_outputs;
  TensorView d_lora_h;  // [T, at least lora_columns]; working space
  TensorView d_x;       // [T, I]; assigned; absent when nothing below is trained
};

// Gradients of weights, biases and adapters are accumulated into the sink.
void linear_backward(LayerContext& context, const LinearGroup& group, const LinearBackward& op);

}  // namespace hone::layers
