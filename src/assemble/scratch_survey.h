// How much working space a device's kernels will want in a run: the walk is walked once over
// addresses without memory, with a table that asks every kernel instead of running it.
#pragma once

#include <cstddef>

#include "generate/key_value_cache.h"
#include "layers/adapter_set.h"
#include "model/forward_backward/pass_buffers.h"
#include "model/weights/resident_weights.h"
#include "ops/op_context.h"
#include "parameters/flat_layout.h"

namespace hone::assemble {

struct Survey {
  std::size_t scratch_bytes = 0;  // the most that any operation wants
};

// `buffers` must not be bound; they are afterwards bound to addresses that cannot be used.
Survey survey_walk(const model::Decoder& decoder, const layers::AdapterSet* adapters,
                   const FlatLayout& layout, const model::ResidentWeights& weights,
                   model::PassBuffers& buffers, const ops::OpTable& table, int threads);

// The same for a session (generate/decoder_session.h): a full chunk of a prompt, then one
// token at the end of a full cache.
Survey survey_session(const model::Decoder& decoder, const layers::AdapterSet* adapters,
                      const FlatLayout& layout, const model::ResidentWeights& weights,
                      model::PassBuffers& buffers, generate::KeyValueCache& cache,
                      const ops::OpTable& table, int threads);

}  // namespace hone::assemble
