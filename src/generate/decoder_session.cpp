#include "generate/decoder_session.h"

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "layers/head.h"
#include "layers/norm.h"
#include "model/description/rope.h"
#include "model/forward_backward/unit_forward.h"
#include "ops/embedding.h"

namespace hone::generate {

using model::first_rows;

model::PassCapacity session_capacity(const KeyValueCache& cache, std::int64_t chunk_tokens) {
  return {.tokens = chunk_tokens, .labels = 1, .positions = cache.capacity()};
}

DecoderSession::DecoderSession(const model::Decoder& decoder, model::PassBuffers& buffers,
                               KeyValueCache& cache, ParameterSource& parameters,
                               const layers::AdapterSet* adapters, ops::OpContext& ops)
    : decoder_(decoder),
      buffers_(buffers),
      cache_(cache),
      parameters_(parameters),
      adapters_(adapters),
      ops_(ops),
      positions_(static_cast<std::size_t>(buffers.capacity.tokens)) {
  HONE_ASSERT(!buffers.options.training);
  HONE_ASSERT(buffers.capacity.positions >= cache.capacity(), buffers.capacity.positions,
              cache.capacity());
}

void DecoderSession::prepare() {
  model::fill_rope_table(decoder_.description, buffers_.cosines, buffers_.sines);
}

layers::LayerContext DecoderSession::context() {
  return {ops_, decoder_.registry, parameters_, nullptr, adapters_, 0, {}};
}

void DecoderSession::read(std::span<const std::int32_t> tokens) {
  const auto count = static_cast<std::int64_t>(tokens.size());
  const std::int64_t before = cache_.length();
  HONE_ASSERT(count > 0 && count <= chunk_tokens(), count, chunk_tokens());
  HONE_ASSERT(before + count <= cache_.capacity(), before, count, cache_.capacity());
  rows_ = count;
  std::iota(positions_.begin(), positions_.begin() + count, static_cast<std::int32_t>(before));
  query_starts_[1] = static_cast<std::int32_t>(count);
  key_lengths_[0] = static_cast<std::int32_t>(before + count);
  const layers::Placement where = {
      .positions = std::span<const std::int32_t>(positions_).first(tokens.size()),
      .query_starts = query_starts_,
      .key_starts = key_starts_,
      .key_lengths = key_lengths_,
      .cosines = buffers_.cosines,
      .sines = buffers_.sines,
      .scale = 1.0 / std::sqrt(static_cast<double>(decoder_.description.head_width))};
  layers::LayerContext layer = context();
  parameters_.announce(block_unit(0));
  {
    const AcquiredUnit unit(parameters_, kEmbeddingUnit);
    ops::run(ops_, ops::EmbeddingForward{.tokens = tokens,
                                         .table = parameters_.get(decoder_.embedding),
                                         .out = first_rows(buffers_.block(0).input, count)});
  }
  ConstTensorView previous;
  for (std::int64_t i = 0; i < decoder_.description.blocks; ++i) {
    const AcquiredUnit unit(parameters_, block_unit(i));
    parameters_.announce(block_unit(i + 1));
    model::BlockSaved saved = first_rows(buffers_.block(i), count);
    saved.attention.k = cache_.keys(i).slice(before, count);
    saved.attention.v = cache_.values(i).slice(before, count);
    model::block_forward(layer, decoder_.blocks[static_cast<std::size_t>(i)], where, buffers_,
                         saved, previous, cache_.keys(i), cache_.values(i));
    previous = saved.middle;
  }
  cache_.extend(count);
}

std::span<const float> DecoderSession::logits() {
  HONE_ASSERT(rows_ > 0);
  layers::LayerContext layer = context();
  const std::int64_t last = rows_ - 1;
  const auto row = [&](const TensorView& view) { return view.slice(last, 1); };
  const model::BlockSaved saved = buffers_.block(decoder_.description.blocks - 1);
  const model::AcquiredHead unit(parameters_, decoder_);
  layers::norm_forward(layer, decoder_.final_norm, row(saved.middle), row(buffers_.delta),
                       row(buffers_.last), row(buffers_.normed), row(buffers_.last_rms));
  const TensorView logits =
      layers::head_logits(layer, decoder_.head, row(buffers_.normed), buffers_.head_work);
  return {logits.data<float>(), static_cast<std::size_t>(vocabulary())};
}

}  // namespace hone::generate
