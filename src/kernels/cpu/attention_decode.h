// Attention of a single query at the end of a long cache: decoding. The keys are cut into segments,
// so that every thread has work although there are few key/value heads; each segment has a softmax
// of its own, and those are joined in the order of the segments (Dao et al., "Flash-Decoding for
// long-context inference", 2023). Where the cuts lie depends on the shape alone, so threads change
// no bits.
#pragma once

#include <algorithm>
#include <cstddef>

#include "kernels/cpu/attention_tiles.h"

namespace hone::kernels::cpu {

// Keys whose scores are held at once. A segment is a whole number of blocks.
constexpr std::int64_t kDecodeBlock = 64;
constexpr std::int64_t kShortestSegment = 2 * kDecodeBlock;
constexpr std::int64_t kMostSegments = 16;
constexpr std::int64_t kMostDecodeGroup = 16;

// The keys that the query sees, cut into segments.
struct DecodeCut {
  std::int64_t first_key, end_key, segment;

  explicit DecodeCut(const AttentionSpan& span)
      : first_key(span.first_key(0)), end_key(span.last_key(0) + 1) {
    const std::int64_t even = (keys() + kMostSegments - 1) / kMostSegments;
    const std::int64_t blocks = (even + kDecodeBlock - 1) / kDecodeBlock;
    segment = std::max(kShortestSegment, blocks * kDecodeBlock);
  }
  std::int64_t keys() const { return end_key - first_key; }
  std::int64_t segments() const { return (keys() + segment - 1) / segment; }
  // At least segments(), and never less for more keys: working space is planned for a full cache.
  std::int64_t most_segments() const {
    return std::min(kMostSegments, (keys() + kShortestSegment - 1) / kShortestSegment);
  }
};

// Whether a sequence goes this way.
inline bool is_decoding(const AttentionSpan& span) {
  return span.queries == 1 && span.group <= kMostDecodeGroup &&
         DecodeCut(span).keys() > kShortestSegment;
}

// One sequence, for which is_decoding() holds; `space` has decode_space_elements().
void attention_decode(int threads, const ops::AttentionForward& op, const AttentionSpan& span,
                      float* space);

// Enough for every sequence that decodes; 0 where no sequence of `op` does.
std::int64_t decode_space_elements(const ops::AttentionForward& op);

}  // namespace hone::kernels::cpu
