// The language-model head over label rows, in chunks: logits exist for one chunk at a time, and
// only for rows that have a label.
#pragma once

#include <cstdint>
#include <span>

#include "base/tensor_view.h"
#include "layers/linear.h"
#include "losses/token_loss.h"

namespace hone::layers {

// Rows of logits held at once: enough for the product to run at full speed, few enough to be small
// beside the activations.
constexpr std::int64_t kHeadChunkRows = 256;

struct Head {
  LinearGroup linear;  // one layer [V, D]; its weight may be the embedding's
};

struct HeadWork {
  TensorView logits;           // [C, V]
  TensorView log_probability;  // [C]
  TensorView log_sum_exp;      // [C]
  TensorView coefficient;      // [C]
  TensorView lora_h;           // [C, R]
  TensorView d_lora_h;         // [C, R]
};

struct HeadRows {
  ConstTensorView x;                     // [L, D]: normed rows that have a label
  std::span<const std::int32_t> labels;  // [L]
  std::span<const float> weights;        // [L]: how much each label counts
  double scale = 1.0;                    // of the gradient: one over the step's label count
};

// The loss's value summed over the rows (not scaled). With `d_x` present [L, D], its gradient
// (times scale) is assigned there and the head's own gradients are accumulated into the sink.
double head_loss(LayerContext& context, const Head& head, const HeadRows& rows,
                 const losses::TokenLoss& loss, const HeadWork& work, const TensorView& d_x);

// Logits of x [rows, D], rows <= kHeadChunkRows, into work.logits; returns that view.
TensorView head_logits(LayerContext& context, const Head& head, const ConstTensorView& x,
                       const HeadWork& work);

}  // namespace hone::layers
