// The walk over the units of a model, forward and backward: what design and layers promise, in
// order.
//
// Units are acquired, used and released one after another, the next one announced beforehand. The
// same walk without adapters is the reference model of preference losses.
#pragma once

#include <string>

#include "layers/layer_context.h"
#include "losses/token_loss.h"
#include "model/description/decoder.h"
#include "model/forward_backward/batch_view.h"
#include "model/forward_backward/pass_buffers.h"
#include "ops/op_context.h"
#include "parameters/contracts.h"

namespace hone::model {

class Walk {
 public:
  // All references must outlive the walk; the buffers must be bound.
  Walk(const Decoder& decoder, PassBuffers& buffers, ParameterSource& parameters,
       const layers::AdapterSet* adapters, ops::OpContext& ops);

  // Fills the rotary tables; once, before the first pass.
  void prepare();

  // Where training passes put gradients, and the seed of their dropout.
  void set_training(GradientSink& gradients, std::uint64_t dropout_seed);

  // Sum of the batch's label losses, nothing kept: evaluation.
  double evaluate(const BatchView& batch, const losses::TokenLoss& loss);

  // The same, and the gradient of scale * that sum is accumulated into the sink. Gradients of every
  // trainable parameter are finished when this returns.
  double train(const BatchView& batch, const losses::TokenLoss& loss, double scale);

  // Where the residual stream of the last training pass, over `tokens` tokens, first held something
  // that is not finite: "the embedding's output", "the output of block 3", or an empty string.
  std::string first_non_finite_activation(std::int64_t tokens) const;

  // Logits of the batch's label rows (at most layers::kHeadChunkRows), into the head's buffer.
  TensorView logits(const BatchView& batch);

 private:
  layers::LayerContext context(const BatchView& batch, bool training);
  layers::Placement placement(const BatchView& batch) const;

  // Embedding and blocks; leaves the residual stream in buffers.last and normed rows in normed.
  void forward(layers::LayerContext& context, const BatchView& batch);
  double head(layers::LayerContext& context, const BatchView& batch, const losses::TokenLoss& loss,
              double scale, bool training);
  void backward(layers::LayerContext& context, const BatchView& batch);
  void block_backward(layers::LayerContext& context, std::int64_t index,
                      const layers::Placement& placement, std::int64_t tokens);
  void embedding_backward(layers::LayerContext& context, const BatchView& batch);
  void finish_unit(Unit unit);

  const Decoder& decoder_;
  PassBuffers& buffers_;
  ParameterSource& parameters_;
  const layers::AdapterSet* adapters_;
  ops::OpContext& ops_;
  GradientSink* gradients_ = nullptr;
  std::uint64_t dropout_seed_ = 0;
  Unit first_trainable_ = 0;
};

}  // namespace hone::model
