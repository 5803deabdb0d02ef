#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/attention_backward.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

#include "kernels/cpu/attention-inl.h"
#include "kernels/cpu/attention_backward.h"
#include "kernels/cpu/attention_space.h"
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

// What the softmax's gradient needs of each query of the tile.
struct RowConstants {
  HWY_ALIGN float log_sum_exp[kQueryTile] = {};
  HWY_ALIGN float delta[kQueryTile] = {};  // sum of d_out * out
};

HWY_INLINE float dot(const float* a, const float* b, std::int64_t count) {
  VF sum = hn::Zero(DF());
  for (std::int64_t i = 0; i < count; i += lanes()) {
    sum = hn::MulAdd(load_up_to(a + i, count - i), load_up_to(b + i, count - i), sum);
  }
  return sum_of(sum);
}

HWY_INLINE void pack_tile(const ops::AttentionBackward& op, const QueryTile& tile,
                          const BackwardSpace& space, RowConstants& constants) {
  const std::int64_t width = op.q.shape()[2];
  const std::int64_t padded = padded_width(width);
  for (std::int64_t i = 0; i < tile.count; ++i) {
    const std::int64_t p = tile.first + i;
    const float* d_out = packed_row(op.d_out, tile, p);
    pack_row(packed_row(op.q, tile, p), width, static_cast<float>(op.layout.scale),
             space.q_rows + i * padded);
    pack_row(d_out, width, 1.0f, space.d_out_rows + i * padded);
    const std::int64_t head = tile.kv_head * tile.span.group + p % tile.span.group;
    constants.log_sum_exp[i] =
        op.log_sum_exp.row<float>(tile.span.query_row + p / tile.span.group)[head];
    constants.delta[i] = dot(d_out, packed_row(op.out, tile, p), width);
  }
  pack_columns(space.q_rows, width, tile.count, space.q_columns);
  pack_columns(space.d_out_rows, width, tile.count, space.d_out_columns);
}

// In: scores in p, d_p in d_scores. Out: probabilities, and the gradient of the scores.
template <bool kMasked>
HWY_INLINE void softmax_gradient(const BackwardSpace& space, std::int64_t rows,
                                 std::int64_t columns, std::int64_t first_key, const TileMask& mask,
                                 const RowConstants& constants) {
  const DF d;
  for (std::int64_t column = 0; column < columns; column += lanes()) {
    const VF log_sum_exp = hn::LoadU(d, constants.log_sum_exp + column);
    const VF delta = hn::LoadU(d, constants.delta + column);
    for (std::int64_t j = 0; j < rows; ++j) {
      const std::int64_t at = j * kQueryTile + column;
      VF p = exp(hn::Sub(hn::LoadU(d, space.p + at), log_sum_exp));
      if (kMasked) p = hn::IfThenElseZero(mask.visible(first_key + j, column), p);
      hn::StoreU(p, d, space.p + at);
      const VF d_p = hn::LoadU(d, space.d_scores + at);
      hn::StoreU(hn::Mul(p, hn::Sub(d_p, delta)), d, space.d_scores + at);
    }
  }
}

// Keys [key, key + rows) against the packed tile.
void key_tile_gradient(const ops::AttentionBackward& op, const QueryTile& tile,
                       const BackwardSpace& space, const TileMask& mask,
                       const RowConstants& constants, std::int64_t key, std::int64_t rows,
                       const BackwardPart& part) {
  const std::int64_t width = op.q.shape()[2];
  const std::int64_t padded = padded_width(width);
  const std::int64_t columns = used_columns(tile);
  const std::int64_t row = tile.span.key_row + key;
  const std::int64_t at = tile.kv_head * width;
  tile_product({op.k.row<float>(row) + at, op.k.row_stride(), 1}, {space.q_columns, kQueryTile},
               {space.p, kQueryTile}, rows, columns, width, false);
  tile_product({op.v.row<float>(row) + at, op.v.row_stride(), 1}, {space.d_out_columns, kQueryTile},
               {space.d_scores, kQueryTile}, rows, columns, width, false);
  if (mask.hides(key, key + rows - 1)) {
    softmax_gradient<true>(space, rows, columns, key, mask, constants);
  } else {
    softmax_gradient<false>(space, rows, columns, key, mask, constants);
  }
  if (part.d_keys) {
    tile_product({space.p, kQueryTile, 1}, {space.d_out_rows, padded},
                 {op.d_v.row<float>(row) + at, op.d_v.row_stride()}, rows, width, tile.count, true);
    tile_product({space.d_scores, kQueryTile, 1}, {space.q_rows, padded},
                 {op.d_k.row<float>(row) + at, op.d_k.row_stride()}, rows, width, tile.count, true);
  }
  if (part.d_queries) {
    for (std::int64_t j = 0; j < rows; ++j) {
      pack_row(op.k.row<float>(row + j) + at, width, 1.0f, space.k_rows + j * padded);
    }
    tile_product({space.d_scores, 1, kQueryTile}, {space.k_rows, padded}, {space.d_q, padded},
                 tile.count, padded, rows, true);
  }
}

void attention_backward_tile(const ops::AttentionBackward& op, const QueryTile& tile,
                             const BackwardSpace& space, const BackwardPart& part) {
  const std::int64_t width = op.q.shape()[2];
  const std::int64_t padded = padded_width(width);
  const TileMask mask(tile);
  RowConstants constants;
  pack_tile(op, tile, space, constants);
  std::memset(space.d_q, 0, static_cast<std::size_t>(tile.count * padded) * sizeof(float));
  const std::int64_t end = std::min(tile.last_key() + 1, part.end_key);
  for (std::int64_t key = std::max(tile.first_key(), part.first_key); key < end; key += kKeyTile) {
    const std::int64_t rows = std::min(kKeyTile, end - key);
    key_tile_gradient(op, tile, space, mask, constants, key, rows, part);
  }
  if (!part.d_queries) return;
  const VF scale = hn::Set(DF(), static_cast<float>(op.layout.scale));
  for (std::int64_t p = 0; p < tile.count; ++p) {
    float* d_q = packed_row(op.d_q, tile, tile.first + p);
    for (std::int64_t e = 0; e < width; e += lanes()) {
      const VF sum = hn::LoadU(DF(), space.d_q + p * padded + e);
      store_up_to(hn::Mul(sum, scale), d_q + e, width - e);
    }
  }
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(attention_backward_tile);

namespace {

// Everything that the tasks share.
struct Work {
  const ops::AttentionBackward& op;
  const SequenceOrder& order;
  std::byte* spaces;
  std::int64_t kv_heads, group, width;

  AttentionSpan span(std::int64_t i) const { return span_of(op.layout, order[i], group); }

  void tile(const QueryTile& queries, const BackwardPart& part, int thread) const {
    HWY_DYNAMIC_DISPATCH(attention_backward_tile)
    (op, queries, BackwardSpace(spaces, thread, width), part);
  }

  void zero_keys(const AttentionSpan& span, std::int64_t kv_head, const BackwardPart& part) const {
    const auto bytes = static_cast<std::size_t>(width) * sizeof(float);
    for (std::int64_t key = part.first_key; key < std::min(span.keys, part.end_key); ++key) {
      std::memset(op.d_k.row<float>(span.key_row + key) + kv_head * width, 0, bytes);
      std::memset(op.d_v.row<float>(span.key_row + key) + kv_head * width, 0, bytes);
    }
  }
};

// One pass: a task owns a sequence under a key/value head.
void run_whole_heads(int threads, const Work& work) {
  parallel_tasks(threads, work.order.count() * work.kv_heads, [&](std::int64_t task, int thread) {
    const AttentionSpan span = work.span(task / work.kv_heads);
    const std::int64_t kv_head = task % work.kv_heads;
    const BackwardPart all = {true, true, 0, span.keys};
    work.zero_keys(span, kv_head, all);
    for (std::int64_t i = 0; i < span.tiles(); ++i) {
      work.tile(query_tile(span, kv_head, i), all, thread);
    }
  });
}

// Calls visit(span, kv_head, part of the span) for task number `task` of those that cut each span
// of the order into pieces(span) parts.
template <class Pieces, class Visit>
void find_task(const Work& work, std::int64_t task, const Pieces& pieces, const Visit& visit) {
  for (std::int64_t i = 0;; ++i) {
    const AttentionSpan span = work.span(i);
    const std::int64_t here = pieces(span) * work.kv_heads;
    if (task < here) return visit(span, task % work.kv_heads, task / work.kv_heads);
    task -= here;
  }
}

template <class Pieces>
std::int64_t count_tasks(const Work& work, const Pieces& pieces) {
  std::int64_t tasks = 0;
  for (std::int64_t i = 0; i < work.order.count(); ++i) {
    tasks += pieces(work.span(i)) * work.kv_heads;
  }
  return tasks;
}

// Two passes, for more threads than whole heads feed: scores are made twice, sums run in the same
// order as in one pass.
void run_two_passes(int threads, const Work& work) {
  const auto tiles = [](const AttentionSpan& span) { return span.tiles(); };
  parallel_tasks(threads, count_tasks(work, tiles), [&](std::int64_t task, int thread) {
    find_task(work, task, tiles,
              [&](const AttentionSpan& span, std::int64_t kv_head, std::int64_t piece) {
                work.tile(query_tile(span, kv_head, span.tiles() - 1 - piece),
                          {true, false, 0, span.keys}, thread);
              });
  });
  constexpr std::int64_t kKeysPerTask = 4 * kKeyTile;
  const auto key_blocks = [](const AttentionSpan& span) {
    return (span.keys + kKeysPerTask - 1) / kKeysPerTask;
  };
  parallel_tasks(threads, count_tasks(work, key_blocks), [&](std::int64_t task, int thread) {
    find_task(work, task, key_blocks,
              [&](const AttentionSpan& span, std::int64_t kv_head, std::int64_t piece) {
                const std::int64_t first = piece * kKeysPerTask;
                const BackwardPart part = {false, true, first, first + kKeysPerTask};
                work.zero_keys(span, kv_head, part);
                for (std::int64_t i = 0; i < span.tiles(); ++i) {
                  const QueryTile tile = query_tile(span, kv_head, i);
                  if (tile.last_key() >= part.first_key && tile.first_key() < part.end_key) {
                    work.tile(tile, part, thread);
                  }
                }
              });
  });
}

}  // namespace

std::size_t scratch_bytes(const ops::OpContext& context, const ops::AttentionBackward& op) {
  return array_bytes<std::int32_t>(op.q.rows()) +
         static_cast<std::size_t>(context.threads) * BackwardSpace::bytes(op.q.shape()[2]);
}

void run(ops::OpContext& context, const ops::AttentionBackward& op) {
  const std::int64_t width = op.q.shape()[2];
  Scratch scratch(context.scratch);
  const SequenceOrder order(op.layout, scratch.take<std::int32_t>(op.q.rows()));
  auto* spaces = scratch.take<std::byte>(static_cast<std::int64_t>(
      static_cast<std::size_t>(context.threads) * BackwardSpace::bytes(width)));
  const std::int64_t kv_heads = op.k.shape()[1];
  const Work work = {op, order, spaces, kv_heads, op.q.shape()[1] / kv_heads, width};
  // One pass does 5 products where two do 7: worth up to this much imbalance.
  constexpr std::int64_t kTasksPerThread = 4;
  if (context.threads == 1 || order.count() * kv_heads >= kTasksPerThread * context.threads) {
    run_whole_heads(context.threads, work);
  } else {
    run_two_passes(context.threads, work);
  }
}

}  // namespace hone::kernels::cpu
#endif
