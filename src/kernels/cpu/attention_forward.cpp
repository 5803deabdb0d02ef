#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/attention_forward.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "kernels/cpu/attention-inl.h"
#include "kernels/cpu/attention_decode.h"
#include "kernels/cpu/attention_space.h"
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

// Running maximum and sum of every query of the tile, and what the last key tile multiplied its
// earlier sums by.
struct SoftmaxState {
  HWY_ALIGN float largest[kQueryTile];
  HWY_ALIGN float sum[kQueryTile];
  HWY_ALIGN float rescale[kQueryTile];
};

// scores[key][column] become exp(score - largest so far); hidden ones 0.
template <bool kMasked>
HWY_INLINE void softmax_column(float* scores, std::int64_t rows, std::int64_t first_key,
                               const TileMask& mask, std::int64_t column, SoftmaxState& state) {
  const DF d;
  const VF lowest = hn::Set(d, std::numeric_limits<float>::lowest());
  const VF before = hn::LoadU(d, state.largest + column);
  VF largest = before;
  for (std::int64_t j = 0; j < rows; ++j) {
    VF score = hn::LoadU(d, scores + j * kQueryTile + column);
    if (kMasked) score = hn::IfThenElse(mask.visible(first_key + j, column), score, lowest);
    largest = hn::Max(largest, score);
  }
  VF sum = hn::Zero(d);
  for (std::int64_t j = 0; j < rows; ++j) {
    float* at = scores + j * kQueryTile + column;
    VF p = exp(hn::Sub(hn::LoadU(d, at), largest));
    if (kMasked) p = hn::IfThenElseZero(mask.visible(first_key + j, column), p);
    sum = hn::Add(sum, p);
    hn::StoreU(p, d, at);
  }
  const VF rescale = exp(hn::Sub(before, largest));
  hn::StoreU(hn::MulAdd(hn::LoadU(d, state.sum + column), rescale, sum), d, state.sum + column);
  hn::StoreU(rescale, d, state.rescale + column);
  hn::StoreU(largest, d, state.largest + column);
}

HWY_INLINE void rescale_rows(const SoftmaxState& state, std::int64_t count, std::int64_t width,
                             float* sums) {
  for (std::int64_t p = 0; p < count; ++p) {
    if (state.rescale[p] == 1.0f) continue;
    const VF factor = hn::Set(DF(), state.rescale[p]);
    for (std::int64_t e = 0; e < width; e += lanes()) {
      float* at = sums + p * width + e;
      hn::StoreU(hn::Mul(hn::LoadU(DF(), at), factor), DF(), at);
    }
  }
}

void attention_forward_tile(const ops::AttentionForward& op, const QueryTile& tile,
                            const ForwardSpace& space) {
  const std::int64_t width = op.q.shape()[2];
  const std::int64_t padded = padded_width(width);
  const TileMask mask(tile);
  SoftmaxState state;
  for (std::int64_t p = 0; p < kQueryTile; ++p) {
    state.largest[p] = std::numeric_limits<float>::lowest();
    state.sum[p] = 0.0f;
  }
  for (std::int64_t p = 0; p < tile.count; ++p) {
    pack_row(packed_row(op.q, tile, tile.first + p), width, static_cast<float>(op.layout.scale),
             space.sums + p * padded);
  }
  pack_columns(space.sums, width, tile.count, space.q_columns);

  const std::int64_t columns = used_columns(tile);
  bool accumulate = false;
  for (std::int64_t key = tile.first_key(); key <= tile.last_key(); key += kKeyTile) {
    const std::int64_t rows = std::min(kKeyTile, tile.last_key() - key + 1);
    const std::int64_t row = tile.span.key_row + key;
    const float* k = op.k.row<float>(row) + tile.kv_head * width;
    tile_product({k, op.k.row_stride(), 1}, {space.q_columns, kQueryTile},
                 {space.scores, kQueryTile}, rows, columns, width, false);
    for (std::int64_t column = 0; column < columns; column += lanes()) {
      if (mask.hides(key, key + rows - 1)) {
        softmax_column<true>(space.scores, rows, key, mask, column, state);
      } else {
        softmax_column<false>(space.scores, rows, key, mask, column, state);
      }
    }
    if (accumulate) rescale_rows(state, tile.count, padded, space.sums);
    for (std::int64_t j = 0; j < rows; ++j) {
      pack_row(op.v.row<float>(row + j) + tile.kv_head * width, width, 1.0f,
               space.v_rows + j * padded);
    }
    tile_product({space.scores, 1, kQueryTile}, {space.v_rows, padded}, {space.sums, padded},
                 tile.count, padded, rows, accumulate);
    accumulate = true;
  }

  for (std::int64_t p = 0; p < tile.count; ++p) {
    float* out = packed_row(op.out, tile, tile.first + p);
    const VF factor = hn::Set(DF(), 1.0f / state.sum[p]);
    for (std::int64_t e = 0; e < width; e += lanes()) {
      const VF sum = hn::LoadU(DF(), space.sums + p * padded + e);
      store_up_to(hn::Mul(sum, factor), out + e, width - e);
    }
    const std::int64_t packed = tile.first + p;
    const std::int64_t head = tile.kv_head * tile.span.group + packed % tile.span.group;
    op.log_sum_exp.row<float>(tile.span.query_row + packed / tile.span.group)[head] =
        state.largest[p] + std::log(state.sum[p]);
  }
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(attention_forward_tile);

std::size_t scratch_bytes(const ops::OpContext& context, const ops::AttentionForward& op) {
  return array_bytes<std::int32_t>(op.q.rows()) + array_bytes<float>(decode_space_elements(op)) +
         static_cast<std::size_t>(context.threads) * ForwardSpace::bytes(op.q.shape()[2]);
}

void run(ops::OpContext& context, const ops::AttentionForward& op) {
  const std::int64_t kv_heads = op.k.shape()[1];
  const std::int64_t group = op.q.shape()[1] / kv_heads;
  const std::int64_t width = op.q.shape()[2];
  Scratch scratch(context.scratch);
  const SequenceOrder order(op.layout, scratch.take<std::int32_t>(op.q.rows()));
  auto* parts = scratch.take<float>(decode_space_elements(op));
  auto* spaces = scratch.take<std::byte>(static_cast<std::int64_t>(
      static_cast<std::size_t>(context.threads) * ForwardSpace::bytes(width)));

  // Tiles of a sequence that this loop computes.
  const auto tiles_of = [](const AttentionSpan& span) {
    return is_decoding(span) ? 0 : span.tiles();
  };
  std::int64_t tasks = 0;
  for (std::int64_t i = 0; i < order.count(); ++i) {
    const AttentionSpan span = span_of(op.layout, order[i], group);
    if (is_decoding(span)) attention_decode(context.threads, op, span, parts);
    tasks += tiles_of(span) * kv_heads;
  }
  parallel_tasks(context.threads, tasks, [&](std::int64_t task, int thread) {
    std::int64_t sequence = 0;
    std::int64_t rest = task;
    AttentionSpan span = span_of(op.layout, order[sequence], group);
    while (rest >= tiles_of(span) * kv_heads) {
      rest -= tiles_of(span) * kv_heads;
      span = span_of(op.layout, order[++sequence], group);
    }
    // Late tiles see most keys: first.
    const QueryTile tile = query_tile(span, rest % kv_heads, span.tiles() - 1 - rest / kv_heads);
    HWY_DYNAMIC_DISPATCH(attention_forward_tile)(op, tile, ForwardSpace(spaces, thread, width));
  });
}

}  // namespace hone::kernels::cpu
#endif
