// The attention part of a block: o(attention(rope(norm(q(x))), rope(norm(k(x))), v(x))).
#pragma once

#include <cstdint>
#include <span>

#include "base/tensor_view.h"
#include "layers/linear.h"
#include "layers/norm.h"
#include "ops/attention.h"

namespace hone::layers {

struct Attention {
  LinearGroup qkv;  // three layers
  LinearGroup out;  // one layer
  Norm q_norm;      // over each head; weight kNoParameter: none
  Norm k_norm;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_width = 0;
  std::int64_t window = 0;  // sliding window in tokens; 0: none

  bool normalizes_heads() const { return q_norm.weight != kNoParameter; }
};

// Where the tokens stand; the same for every block of a pass.
struct Placement {
  std::span<const std::int32_t> positions;  // [T]
  std::span<const std::int32_t> query_starts;
  std::span<const std::int32_t> key_starts;
  std::span<const std::int32_t> key_lengths;
  ConstTensorView cosines;  // [P, E/2], already scaled by the rope's attention factor
  ConstTensorView sines;
  double scale = 1.0;  // of the scores
};

// What forward saves, beside its input. Keys and values may instead be rows of a longer cache
// (generate/), in which case backward is not possible.
struct AttentionSaved {
  TensorView q;            // [T, H * E], rotated
  TensorView k;            // [T, K * E], rotated
  TensorView v;            // [T, K * E]
  TensorView out;          // [T, H * E], before the output layer
  TensorView log_sum_exp;  // [T, H]
  TensorView qkv_h;        // LoRA's narrow values
  TensorView out_h;
  // Only when heads are normalised: the values before the norm.
  TensorView q_raw;      // [T, H * E]
  TensorView k_raw;      // [T, K * E]
  TensorView q_inv_rms;  // [T, H]
  TensorView k_inv_rms;  // [T, K]
};

struct AttentionWork {
  TensorView d_out;     // [T, H * E]
  TensorView d_q;       // [T, H * E]
  TensorView d_k;       // [T, K * E]
  TensorView d_v;       // [T, K * E]
  TensorView d_lora_h;  // [T, largest R of the block]
};

// The projections of x [T, D] with norm and rope: fills q, k, v and what belongs to them.
void project_qkv(LayerContext& context, const Attention& attention, const Placement& placement,
                 const ConstTensorView& x, const AttentionSaved& saved);

// Attention of saved.q over `keys` and `values` [rows, K * E], then the output layer -> out [T, D],
// assigned.
void attend(LayerContext& context, const Attention& attention, const Placement& placement,
            const ConstTensorView& keys, const ConstTensorView& values, const AttentionSaved& saved,
            const TensorView& out);

// d_out [T, D] -> d_x [T, D], assigned (absent when nothing below is trained). x is forward's
// input.
void attention_backward(LayerContext& context, const Attention& attention,
                        const Placement& placement, const ConstTensorView& x,
                        const AttentionSaved& saved, const AttentionWork& work,
                        const ConstTensorView& d_out, const TensorView& d_x);

}  // namespace hone::layers
