#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/attention_decode.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "kernels/cpu/attention_decode.h"
#include "kernels/cpu/attention_space.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

// The dot product of `width` elements.
HWY_INLINE float dot(const float* q, const float* k, std::int64_t width) {
  const DF d;
  VF sums = hn::Zero(d);
  std::int64_t e = 0;
  for (; e + lanes() <= width; e += lanes()) {
    sums = hn::MulAdd(hn::LoadU(d, q + e), hn::LoadU(d, k + e), sums);
  }
  float sum = sum_of(sums);
  for (; e < width; ++e) sum += q[e] * k[e];
  return sum;
}

HWY_INLINE void prefetch_row(const float* row, std::int64_t width) {
  constexpr std::int64_t kLine = 16;
  for (std::int64_t e = 0; e < width; e += kLine) hwy::Prefetch(row + e);
}

// Scores of a block become exp(score - largest); returns what earlier sums are to be multiplied by.
HWY_INLINE float softmax_block(float* scores, std::int64_t count, DecodePart& part) {
  const DF d;
  float largest = *part.largest;
  for (std::int64_t j = 0; j < count; ++j) largest = std::max(largest, scores[j]);
  VF sums = hn::Zero(d);
  const VF shift = hn::Set(d, largest);
  for (std::int64_t j = count; j % lanes() != 0; ++j) {
    scores[j] = std::numeric_limits<float>::lowest();
  }
  for (std::int64_t j = 0; j < count; j += lanes()) {
    const VF p = exp(hn::Sub(hn::LoadU(d, scores + j), shift));
    sums = hn::Add(sums, p);
    hn::StoreU(p, d, scores + j);
  }
  const float rescale = std::exp(*part.largest - largest);
  *part.sum = *part.sum * rescale + sum_of(sums);
  *part.largest = largest;
  return rescale;
}

// Keys [first, end) under one key/value head; `parts` are the group's.
void decode_segment(const ops::AttentionForward& op, const AttentionSpan& span,
                    std::int64_t kv_head, std::int64_t first, std::int64_t end, float* parts) {
  const std::int64_t width = op.q.shape()[2];
  const float* q = op.q.row<float>(span.query_row) + kv_head * span.group * width;
  const std::int64_t k_stride = op.k.row_stride();
  const std::int64_t v_stride = op.v.row_stride();
  const auto scale = static_cast<float>(op.layout.scale);
  HWY_ALIGN float scores[kMostDecodeGroup * kDecodeBlock];
  for (std::int64_t p = 0; p < span.group; ++p) {
    const DecodePart part(parts, p, width);
    *part.largest = std::numeric_limits<float>::lowest();
    *part.sum = 0.0f;
  }
  for (std::int64_t key = first; key < end; key += kDecodeBlock) {
    const std::int64_t count = std::min(kDecodeBlock, end - key);
    const float* k = op.k.row<float>(span.key_row + key) + kv_head * width;
    const float* v = op.v.row<float>(span.key_row + key) + kv_head * width;
    for (std::int64_t j = 0; j < count; ++j) {
      prefetch_row(v + j * v_stride, width);
      for (std::int64_t p = 0; p < span.group; ++p) {
        scores[p * kDecodeBlock + j] = scale * dot(q + p * width, k + j * k_stride, width);
      }
    }
    for (std::int64_t p = 0; p < span.group; ++p) {
      DecodePart part(parts, p, width);
      const float rescale = softmax_block(scores + p * kDecodeBlock, count, part);
      if (key == first || rescale == 1.0f) continue;
      for (std::int64_t e = 0; e < width; ++e) part.weighted[e] *= rescale;
    }
    const DecodePart part(parts, 0, width);
    tile_product({scores, kDecodeBlock, 1}, {v, v_stride},
                 {part.weighted, DecodePart::elements(width)}, span.group, width, count,
                 key > first);
  }
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(decode_segment);

namespace {

// The parts of one query head, `stride` apart, joined into its row of out.
void join(const ops::AttentionForward& op, const AttentionSpan& span, std::int64_t head,
          std::int64_t segments, float* parts, std::int64_t stride) {
  const std::int64_t width = op.q.shape()[2];
  float largest = std::numeric_limits<float>::lowest();
  for (std::int64_t s = 0; s < segments; ++s) {
    largest = std::max(largest, *DecodePart(parts, s * stride, width).largest);
  }
  float* out = op.out.row<float>(span.query_row) + head * width;
  std::fill_n(out, width, 0.0f);
  float sum = 0.0f;
  for (std::int64_t s = 0; s < segments; ++s) {
    const DecodePart part(parts, s * stride, width);
    const float weight = std::exp(*part.largest - largest);
    sum += weight * *part.sum;
    for (std::int64_t e = 0; e < width; ++e) out[e] += weight * part.weighted[e];
  }
  for (std::int64_t e = 0; e < width; ++e) out[e] /= sum;
  op.log_sum_exp.row<float>(span.query_row)[head] = largest + std::log(sum);
}

}  // namespace

std::int64_t decode_space_elements(const ops::AttentionForward& op) {
  const std::int64_t group = op.q.shape()[1] / op.k.shape()[1];
  std::int64_t segments = 0;
  for (std::size_t s = 0; s < op.layout.key_starts.size(); ++s) {
    const AttentionSpan span = span_of(op.layout, static_cast<std::int64_t>(s), group);
    if (is_decoding(span)) segments = std::max(segments, DecodeCut(span).most_segments());
  }
  return segments * op.q.shape()[1] * DecodePart::elements(op.q.shape()[2]);
}

void attention_decode(int threads, const ops::AttentionForward& op, const AttentionSpan& span,
                      float* space) {
  const DecodeCut cut(span);
  const std::int64_t segments = cut.segments();
  const std::int64_t heads = op.q.shape()[1];
  const std::int64_t group_elements = span.group * DecodePart::elements(op.q.shape()[2]);
  // Parts lie as [segment][head].
  parallel_tasks(threads, op.k.shape()[1] * segments, [&](std::int64_t task, int) {
    const std::int64_t first = cut.first_key + task % segments * cut.segment;
    const std::int64_t kv_head = task / segments;
    const std::int64_t index = task % segments * op.k.shape()[1] + kv_head;
    HWY_DYNAMIC_DISPATCH(decode_segment)
    (op, span, kv_head, first, std::min(cut.end_key, first + cut.segment),
     space + index * group_elements);
  });
  for (std::int64_t head = 0; head < heads; ++head) {
    join(op, span, head, segments, space + head * DecodePart::elements(op.q.shape()[2]), heads);
  }
}

}  // namespace hone::kernels::cpu
#endif
