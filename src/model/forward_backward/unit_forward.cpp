#include "model/forward_backward/unit_forward.h"

namespace hone::model {

void block_forward(layers::LayerContext& layer, const Block& block, const layers::Placement& where,
                   const PassBuffers& buffers, const BlockSaved& saved,
                   const ConstTensorView& previous, const ConstTensorView& keys,
                   const ConstTensorView& values) {
  const std::int64_t tokens = saved.input.rows();
  const TensorView normed = first_rows(buffers.normed, tokens);
  const TensorView delta = first_rows(buffers.delta, tokens);
  if (previous.present()) {
    layers::norm_forward(layer, block.attention_norm, previous, delta, saved.input, normed,
                         saved.input_rms);
  } else {
    layers::norm_forward(layer, block.attention_norm, saved.input, {}, {}, normed, saved.input_rms);
  }
  layers::project_qkv(layer, block.attention, where, normed, saved.attention);
  layers::attend(layer, block.attention, where, keys, values, saved.attention, delta);
  layers::norm_forward(layer, block.mlp_norm, saved.input, delta, saved.middle, normed,
                       saved.middle_rms);
  layers::MlpWork work = buffers.mlp_work;
  work.activation = first_rows(work.activation, tokens);
  layers::mlp_forward(layer, block.mlp, normed, saved.mlp, work, delta);
}

}  // namespace hone::model
