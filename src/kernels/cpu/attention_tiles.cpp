#include "kernels/cpu/attention_tiles.h"

namespace hone::kernels::cpu {

AttentionSpan span_of(const ops::AttentionLayout& layout, std::int64_t sequence,
                      std::int64_t group) {
  const auto s = static_cast<std::size_t>(sequence);
  const std::int64_t first = layout.query_starts[s];
  return {first,
          layout.query_starts[s + 1] - first,
          layout.key_starts[s],
          layout.key_lengths[s],
          layout.window,
          group};
}

QueryTile query_tile(const AttentionSpan& span, std::int64_t kv_head, std::int64_t index) {
  const std::int64_t first = index * kQueryTile;
  return {span, kv_head, first, std::min(kQueryTile, span.packed() - first)};
}

SequenceOrder::SequenceOrder(const ops::AttentionLayout& layout, std::int32_t* space)
    : order_(space) {
  const auto sequences = static_cast<std::int64_t>(layout.key_starts.size());
  for (std::int64_t s = 0; s < sequences; ++s) {
    if (span_of(layout, s, 1).queries > 0) order_[count_++] = static_cast<std::int32_t>(s);
  }
  const auto work = [&](std::int32_t s) {
    const AttentionSpan span = span_of(layout, s, 1);
    return span.queries * span.keys;
  };
  std::sort(order_, order_ + count_, [&](std::int32_t a, std::int32_t b) {
    return work(a) != work(b) ? work(a) > work(b) : a < b;
  });
}

}  // namespace hone::kernels::cpu
