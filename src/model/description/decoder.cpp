#include "model/description/decoder.h"

#include <string>

namespace hone::model {
namespace {

// Registers the parameters of one block under their Hugging Face names.
class BlockBuilder {
 public:
  BlockBuilder(Decoder& decoder, std::int64_t index)
      : decoder_(decoder),
        model_(decoder.description),
        unit_(block_unit(index)),
        prefix_("model.layers." + std::to_string(index) + ".") {}

  Block build(std::int64_t window) {
    Block block;
    block.attention_norm = norm("input_layernorm", model_.hidden);
    block.attention = attention(window);
    block.mlp_norm = norm("post_attention_layernorm", model_.hidden);
    const bool bias = model_.mlp_bias;
    block.mlp.gate_up = {linear("mlp.gate_proj", model_.feed_forward, model_.hidden, bias),
                         linear("mlp.up_proj", model_.feed_forward, model_.hidden, bias)};
    block.mlp.down = {linear("mlp.down_proj", model_.hidden, model_.feed_forward, bias)};
    return block;
  }

 private:
  layers::Attention attention(std::int64_t window) {
    const std::int64_t q_width = model_.heads * model_.head_width;
    const std::int64_t kv_width = model_.kv_heads * model_.head_width;
    layers::Attention attention;
    attention.heads = model_.heads;
    attention.kv_heads = model_.kv_heads;
    attention.head_width = model_.head_width;
    attention.window = window;
    attention.qkv = {linear("self_attn.q_proj", q_width, model_.hidden, model_.qkv_bias),
                     linear("self_attn.k_proj", kv_width, model_.hidden, model_.qkv_bias),
                     linear("self_attn.v_proj", kv_width, model_.hidden, model_.qkv_bias)};
    attention.out = {
        linear("self_attn.o_proj", model_.hidden, q_width, model_.attention_output_bias)};
    if (model_.normalizes_heads) {
      attention.q_norm = norm("self_attn.q_norm", model_.head_width);
      attention.k_norm = norm("self_attn.k_norm", model_.head_width);
    }
    return attention;
  }

  layers::Linear linear(const std::string& name, std::int64_t out, std::int64_t in, bool bias) {
    layers::Linear linear;
    linear.weight = add(name + ".weight", {out, in}, Role::matrix);
    if (bias) linear.bias = add(name + ".bias", {out}, Role::bias);
    return linear;
  }

  layers::Norm norm(const std::string& name, std::int64_t width) {
    return {add(name + ".weight", {width}, Role::norm), model_.norm_epsilon};
  }

  ParameterId add(const std::string& name, const Shape& shape, Role role) {
    return decoder_.registry.add({prefix_ + name, shape, role, unit_, false, false});
  }

  Decoder& decoder_;
  const ModelDescription& model_;
  Unit unit_;
  std::string prefix_;
};

}  // namespace

Decoder::Decoder(const ModelDescription& model) : description(model), registry(model.blocks) {
  const Shape table = {model.vocabulary, model.hidden};
  embedding = registry.add(
      {"model.embed_tokens.weight", table, Role::embedding, kEmbeddingUnit, false, false});
  for (std::int64_t i = 0; i < model.blocks; ++i) {
    blocks.push_back(BlockBuilder(*this, i).build(model.windows[static_cast<std::size_t>(i)]));
  }
  const Unit unit = registry.head_unit();
  final_norm = {registry.add({"model.norm.weight", {model.hidden}, Role::norm, unit, false, false}),
                model.norm_epsilon};
  const ParameterId head_weight =
      model.tied_embeddings
          ? embedding
          : registry.add({"lm_head.weight", table, Role::head, unit, false, false});
  head.linear = {{head_weight, kNoParameter}};
}

}  // namespace hone::model
