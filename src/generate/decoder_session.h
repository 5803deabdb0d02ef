// A model reading tokens one after another: prompts in chunks, then a token at a time, each seeing
// what the key-value cache holds of those before it.
//
// The blocks' arithmetic is the training walk's (model/forward_backward/unit_forward.h); only keys
// and values come from the cache, and the head works on the last token alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "generate/key_value_cache.h"
#include "layers/layer_context.h"
#include "model/description/decoder.h"
#include "model/forward_backward/pass_buffers.h"
#include "ops/op_context.h"
#include "parameters/contracts.h"

namespace hone::generate {

// Tokens read at once: products run at full speed, and working space stays small.
constexpr std::int64_t kChunkTokens = 512;

// Buffers for a session: for chunks of `chunk_tokens`, and positions up to the cache's capacity.
model::PassCapacity session_capacity(const KeyValueCache& cache, std::int64_t chunk_tokens);

class DecoderSession {
 public:
  // `buffers` were made with session_capacity() and training = false. All references must outlive
  // the session; buffers and cache must be bound. Adapters (possibly none) are used unmerged.
  DecoderSession(const model::Decoder& decoder, model::PassBuffers& buffers, KeyValueCache& cache,
                 ParameterSource& parameters, const layers::AdapterSet* adapters,
                 ops::OpContext& ops);

  // Fills the rotary tables; once, before the first token.
  void prepare();

  // Reads tokens (1 to chunk_tokens(), each in [0, V)) that follow those in the cache, which must
  // have room for them. Allocates nothing.
  void read(std::span<const std::int32_t> tokens);

  // [V] logits after the last token of the last read(); valid until the next read().
  std::span<const float> logits();

  KeyValueCache& cache() { return cache_; }
  std::int64_t chunk_tokens() const { return buffers_.capacity.tokens; }
  std::int64_t vocabulary() const { return decoder_.description.vocabulary; }

 private:
  layers::LayerContext context();

  const model::Decoder& decoder_;
  model::PassBuffers& buffers_;
  KeyValueCache& cache_;
  ParameterSource& parameters_;
  const layers::AdapterSet* adapters_;
  ops::OpContext& ops_;
  std::int64_t rows_ = 0;  // of the last read()
  // Where its tokens stand.
  std::vector<std::int32_t> positions_;
  std::vector<std::int32_t> query_starts_ = {0, 0};
  std::vector<std::int32_t> key_starts_ = {0};
  std::vector<std::int32_t> key_lengths_ = {0};
};

}  // namespace hone::generate
