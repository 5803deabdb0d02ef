#include "model/forward_backward/walk.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "model/description/rope.h"
#include "model/forward_backward/unit_forward.h"
#include "ops/embedding.h"
#include "ops/rows.h"

namespace hone::model {

Walk::Walk(const Decoder& decoder, PassBuffers& buffers, ParameterSource& parameters,
           const layers::AdapterSet* adapters, ops::OpContext& ops)
    : decoder_(decoder),
      buffers_(buffers),
      parameters_(parameters),
      adapters_(adapters),
      ops_(ops),
      first_trainable_(decoder.registry.first_trainable_unit()) {}

void Walk::prepare() {
  fill_rope_table(decoder_.description, buffers_.cosines, buffers_.sines);
}

void Walk::set_training(GradientSink& gradients, std::uint64_t dropout_seed) {
  gradients_ = &gradients;
  dropout_seed_ = dropout_seed;
}

double Walk::evaluate(const BatchView& batch, const losses::TokenLoss& loss) {
  layers::LayerContext layer = context(batch, false);
  forward(layer, batch);
  return head(layer, batch, loss, 0.0, false);
}

double Walk::train(const BatchView& batch, const losses::TokenLoss& loss, double scale) {
  HONE_ASSERT(gradients_ != nullptr && buffers_.options.training);
  layers::LayerContext layer = context(batch, true);
  forward(layer, batch);
  const double value = head(layer, batch, loss, scale, true);
  backward(layer, batch);
  return value;
}

std::string Walk::first_non_finite_activation(std::int64_t tokens) const {
  const auto finite = [tokens](const TensorView& view) {
    const float* values = view.data<float>();
    return std::all_of(values, values + tokens * view.columns(),
                       [](float value) { return std::isfinite(value); });
  };
  for (std::size_t i = 0; i < buffers_.block_inputs.size(); ++i) {
    if (finite(buffers_.block_inputs[i])) continue;
    return i == 0 ? "the embedding's output" : "the output of block " + std::to_string(i - 1);
  }
  if (finite(buffers_.last)) return {};
  return "the output of block " + std::to_string(buffers_.block_inputs.size() - 1);
}

TensorView Walk::logits(const BatchView& batch) {
  layers::LayerContext layer = context(batch, false);
  forward(layer, batch);
  const TensorView rows = first_rows(buffers_.label_x, batch.label_count());
  ops::run(ops_, ops::GatherRows{.rows = batch.label_rows,
                                 .x = first_rows(buffers_.normed, batch.token_count()),
                                 .y = rows});
  const AcquiredHead unit(parameters_, decoder_);
  return layers::head_logits(layer, decoder_.head, rows, buffers_.head_work);
}

layers::LayerContext Walk::context(const BatchView& batch, bool training) {
  HONE_ASSERT(batch.token_count() <= buffers_.capacity.tokens, batch.token_count(),
              buffers_.capacity.tokens);
  HONE_ASSERT(batch.label_count() <= buffers_.capacity.labels, batch.label_count(),
              buffers_.capacity.labels);
  HONE_ASSERT(
      std::all_of(batch.positions.begin(), batch.positions.end(),
                  [&](std::int32_t position) { return position < buffers_.capacity.positions; }),
      buffers_.capacity.positions);
  layers::LayerContext layer{ops_, decoder_.registry, parameters_, nullptr, adapters_, 0, {}};
  if (training) {
    layer.gradients = gradients_;
    layer.dropout_seed = dropout_seed_;
    layer.dropout_keys = batch.dropout_keys;
  }
  return layer;
}

layers::Placement Walk::placement(const BatchView& batch) const {
  return {.positions = batch.positions,
          .query_starts = batch.query_starts,
          .key_starts = batch.starts(),
          .key_lengths = batch.query_lengths,
          .cosines = buffers_.cosines,
          .sines = buffers_.sines,
          .scale = 1.0 / std::sqrt(static_cast<double>(decoder_.description.head_width))};
}

void Walk::forward(layers::LayerContext& layer, const BatchView& batch) {
  const std::int64_t tokens = batch.token_count();
  const layers::Placement where = placement(batch);
  const auto blocks = static_cast<std::int64_t>(decoder_.blocks.size());
  parameters_.announce(block_unit(0));
  ConstTensorView previous;
  {
    const AcquiredUnit unit(parameters_, kEmbeddingUnit);
    const TensorView embedded = first_rows(buffers_.block(0).input, tokens);
    ops::run(ops_, ops::EmbeddingForward{.tokens = batch.tokens,
                                         .table = parameters_.get(decoder_.embedding),
                                         .out = embedded});
  }
  for (std::int64_t i = 0; i < blocks; ++i) {
    const AcquiredUnit unit(parameters_, block_unit(i));
    parameters_.announce(block_unit(i + 1));
    const BlockSaved saved = first_rows(buffers_.block(i), tokens);
    block_forward(layer, decoder_.blocks[static_cast<std::size_t>(i)], where, buffers_, saved,
                  previous, saved.attention.k, saved.attention.v);
    previous = saved.middle;
  }
  const AcquiredUnit unit(parameters_, decoder_.registry.head_unit());
  layers::norm_forward(layer, decoder_.final_norm, previous, first_rows(buffers_.delta, tokens),
                       first_rows(buffers_.last, tokens), first_rows(buffers_.normed, tokens),
                       first_rows(buffers_.last_rms, tokens));
}

double Walk::head(layers::LayerContext& layer, const BatchView& batch,
                  const losses::TokenLoss& loss, double scale, bool training) {
  const TensorView rows = first_rows(buffers_.label_x, batch.label_count());
  const TensorView d_rows =
      training ? first_rows(buffers_.d_label_x, batch.label_count()) : TensorView();
  ops::run(ops_, ops::GatherRows{.rows = batch.label_rows,
                                 .x = first_rows(buffers_.normed, batch.token_count()),
                                 .y = rows});
  const AcquiredHead unit(parameters_, decoder_);
  const double value = layers::head_loss(
      layer, decoder_.head,
      {.x = rows, .labels = batch.labels, .weights = batch.label_weights, .scale = scale}, loss,
      buffers_.head_work, d_rows);
  if (training) {
    // normed is free now: it becomes the gradient of the normed rows, zero where there is no label.
    const TensorView d_normed = first_rows(buffers_.normed, batch.token_count());
    ops_.device->fill_zero(d_normed.raw(), d_normed.bytes());
    ops::run(ops_, ops::ScatterAddRows{.rows = batch.label_rows, .d_y = d_rows, .d_x = d_normed});
  }
  return value;
}

void Walk::backward(layers::LayerContext& layer, const BatchView& batch) {
  const std::int64_t tokens = batch.token_count();
  const layers::Placement where = placement(batch);
  const Unit head_unit = decoder_.registry.head_unit();
  {
    const AcquiredUnit unit(parameters_, head_unit);
    layers::norm_backward(layer, decoder_.final_norm, first_rows(buffers_.normed, tokens),
                          first_rows(buffers_.last, tokens), first_rows(buffers_.last_rms, tokens),
                          first_rows(buffers_.d_residual, tokens), true);
  }
  finish_unit(head_unit);
  for (std::int64_t i = decoder_.registry.blocks() - 1; i >= 0; --i) {
    if (block_unit(i) < first_trainable_) break;
    {
      const AcquiredUnit unit(parameters_, block_unit(i));
      if (i > 0 && block_unit(i - 1) >= first_trainable_) parameters_.announce(block_unit(i - 1));
      block_backward(layer, i, where, tokens);
    }
    finish_unit(block_unit(i));
  }
  embedding_backward(layer, batch);
  finish_unit(kEmbeddingUnit);
}

void Walk::block_backward(layers::LayerContext& layer, std::int64_t index,
                          const layers::Placement& where, std::int64_t tokens) {
  const Block& block = decoder_.blocks[static_cast<std::size_t>(index)];
  const BlockSaved saved = first_rows(buffers_.block(index), tokens);
  if (buffers_.recomputed(index)) {
    block_forward(layer, block, where, buffers_, saved, {}, saved.attention.k, saved.attention.v);
  }
  const TensorView normed = first_rows(buffers_.normed, tokens);
  const TensorView d_normed = first_rows(buffers_.d_normed, tokens);
  const TensorView d_residual = first_rows(buffers_.d_residual, tokens);

  layers::MlpWork mlp = buffers_.mlp_work;
  mlp.activation = first_rows(mlp.activation, tokens);
  mlp.d_activation = first_rows(mlp.d_activation, tokens);
  mlp.d_lora_h = first_rows(mlp.d_lora_h, tokens);
  layers::norm_forward(layer, block.mlp_norm, saved.middle, {}, {}, normed, saved.middle_rms);
  layers::mlp_backward(layer, block.mlp, normed, saved.mlp, mlp, d_residual, d_normed);
  layers::norm_backward(layer, block.mlp_norm, d_normed, saved.middle, saved.middle_rms,
                        d_residual);

  layers::AttentionWork attention = buffers_.attention_work;
  attention.d_out = first_rows(attention.d_out, tokens);
  attention.d_q = first_rows(attention.d_q, tokens);
  attention.d_k = first_rows(attention.d_k, tokens);
  attention.d_v = first_rows(attention.d_v, tokens);
  attention.d_lora_h = mlp.d_lora_h;
  layers::norm_forward(layer, block.attention_norm, saved.input, {}, {}, normed, saved.input_rms);
  // Below the lowest unit that trains, no gradient of the input is needed, unless this block's own
  // input norm is trained.
  const bool input_needed = block_unit(index) > first_trainable_ ||
                            decoder_.registry.at(block.attention_norm.weight).trainable;
  layers::attention_backward(layer, block.attention, where, normed, saved.attention, attention,
                             d_residual, input_needed ? d_normed : TensorView());
  if (input_needed) {
    layers::norm_backward(layer, block.attention_norm, d_normed, saved.input, saved.input_rms,
                          d_residual);
  }
}

void Walk::embedding_backward(layers::LayerContext& layer, const BatchView& batch) {
  const TensorView d_table = layer.gradient_of(decoder_.embedding);
  if (!d_table.present()) return;
  ops::run(ops_,
           ops::EmbeddingBackward{.tokens = batch.tokens,
                                  .order_by_token = batch.order_by_token,
                                  .d_out = first_rows(buffers_.d_residual, batch.token_count()),
                                  .d_table = d_table});
}

void Walk::finish_unit(Unit unit) {
  for (ParameterId id = 0; id < decoder_.registry.size(); ++id) {
    const Parameter& parameter = decoder_.registry.at(id);
    if (parameter.unit == unit && parameter.trainable) gradients_->finished(id);
  }
}

}  // namespace hone::model
