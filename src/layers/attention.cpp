#include "layers/attention.h"

#include <array>

#include "ops/rope.h"

namespace hone::layers {
namespace {

// [T, heads * E] as [T, heads, E].
template <class View>
View by_head(const View& view, const Attention& attention) {
  return view.reshape({view.rows(), view.columns() / attention.head_width, attention.head_width});
}

void rotate(LayerContext& context, const Attention& attention, const Placement& placement,
            const TensorView& x, bool inverse) {
  ops::run(context.ops, ops::Rope{.positions = placement.positions,
                                  .cosines = placement.cosines,
                                  .sines = placement.sines,
                                  .inverse = inverse,
                                  .x = by_head(x, attention)});
}

ops::AttentionLayout layout_of(const Attention& attention, const Placement& placement) {
  return {.query_starts = placement.query_starts,
          .key_starts = placement.key_starts,
          .key_lengths = placement.key_lengths,
          .window = attention.window,
          .scale = placement.scale};
}

// From gradients of the rotated, normalised queries and keys to those of the projections, in place.
void unrotate_and_unnorm(LayerContext& context, const Attention& attention,
                         const Placement& placement, const AttentionSaved& saved,
                         const AttentionWork& work) {
  rotate(context, attention, placement, work.d_q, true);
  rotate(context, attention, placement, work.d_k, true);
  if (!attention.normalizes_heads()) return;
  const TensorView d_q = by_head(work.d_q, attention);
  const TensorView d_k = by_head(work.d_k, attention);
  norm_backward(context, attention.q_norm, d_q, by_head(saved.q_raw, attention), saved.q_inv_rms,
                d_q, true);
  norm_backward(context, attention.k_norm, d_k, by_head(saved.k_raw, attention), saved.k_inv_rms,
                d_k, true);
}

}  // namespace

void project_qkv(LayerContext& context, const Attention& attention, const Placement& placement,
                 const ConstTensorView& x, const AttentionSaved& saved) {
  const bool normalizes = attention.normalizes_heads();
  const TensorView q = normalizes ? saved.q_raw : saved.q;
  const TensorView k = normalizes ? saved.k_raw : saved.k;
  linear_forward(context, attention.qkv, x, saved.qkv_h, std::array{q, k, saved.v});
  if (normalizes) {
    norm_forward(context, attention.q_norm, by_head(q, attention), {}, {},
                 by_head(saved.q, attention), saved.q_inv_rms);
    norm_forward(context, attention.k_norm, by_head(k, attention), {}, {},
                 by_head(saved.k, attention), saved.k_inv_rms);
  }
  rotate(context, attention, placement, saved.q, false);
  rotate(context, attention, placement, saved.k, false);
}

void attend(LayerContext& context, const Attention& attention, const Placement& placement,
            const ConstTensorView& keys, const ConstTensorView& values, const AttentionSaved& saved,
            const TensorView& out) {
  ops::run(context.ops, ops::AttentionForward{.layout = layout_of(attention, placement),
                                              .q = by_head(saved.q, attention),
                                              .k = by_head(keys, attention),
                                              .v = by_head(values, attention),
                                              .out = by_head(saved.out, attention),
                                              .log_sum_exp = saved.log_sum_exp});
  linear_forward(context, attention.out, saved.out, saved.out_h, std::array{out});
}

void attention_backward(LayerContext& context, const Attention& attention,
                        const Placement& placement, const ConstTensorView& x,
                        const AttentionSaved& saved, const AttentionWork& work,
                        const ConstTensorView& d_out, const TensorView& d_x) {
  linear_backward(context, attention.out,
                  {.x = saved.out,
                   .lora_h = saved.out_h,
                   .d_outputs = std::array{d_out},
                   .d_lora_h = work.d_lora_h,
                   .d_x = work.d_out});
  ops::run(context.ops, ops::AttentionBackward{.layout = layout_of(attention, placement),
                                               .d_out = by_head(work.d_out, attention),
                                               .q = by_head(saved.q, attention),
                                               .k = by_head(saved.k, attention),
                                               .v = by_head(saved.v, attention),
                                               .out = by_head(saved.out, attention),
                                               .log_sum_exp = saved.log_sum_exp,
                                               .d_q = by_head(work.d_q, attention),
                                               .d_k = by_head(work.d_k, attention),
                                               .d_v = by_head(work.d_v, attention)});
  unrotate_and_unnorm(context, attention, placement, saved, work);
  linear_backward(context, attention.qkv,
                  {.x = x,
                   .lora_h = saved.qkv_h,
                   .d_outputs = std::array{ConstTensorView(work.d_q), ConstTensorView(work.d_k),
                                           ConstTensorView(work.d_v)},
                   .d_lora_h = work.d_lora_h,
                   .d_x = d_x});
}

}  // namespace hone::layers
