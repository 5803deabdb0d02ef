// What every walk over a model's units shares: the forward pass of one block, and the head's unit.
#pragma once

#include <optional>

#include "layers/layer_context.h"
#include "model/description/decoder.h"
#include "model/forward_backward/pass_buffers.h"
#include "parameters/contracts.h"

namespace hone::model {

// The head's unit, and the embedding's when both share their weight.
class AcquiredHead {
 public:
  AcquiredHead(ParameterSource& parameters, const Decoder& decoder)
      : head_(parameters, decoder.registry.head_unit()) {
    if (decoder.description.tied_embeddings) embedding_.emplace(parameters, kEmbeddingUnit);
  }

 private:
  AcquiredUnit head_;
  std::optional<AcquiredUnit> embedding_;
};

// From the residual stream to saved.middle and the MLP's output in buffers.delta. The stream is
// `previous` + buffers.delta, put into saved.input; without `previous` it is there already.
// saved.attention.k and .v are assigned; attention reads `keys` and `values` [rows, K * E], of
// which they are a part (or all, when there is no cache). `saved` has as many rows as the pass.
void block_forward(layers::LayerContext& layer, const Block& block, const layers::Placement& where,
                   const PassBuffers& buffers, const BlockSaved& saved,
                   const ConstTensorView& previous, const ConstTensorView& keys,
                   const ConstTensorView& values);

}  // namespace hone::model
