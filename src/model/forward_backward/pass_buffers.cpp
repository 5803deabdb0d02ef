#include "model/forward_backward/pass_buffers.h"

#include <algorithm>

namespace hone::model {
namespace {

// The widest narrow value of any linear group of the model.
std::int64_t widest_lora(const Decoder& decoder, const layers::AdapterSet* adapters) {
  std::int64_t widest = 0;
  for (const Block& block : decoder.blocks) {
    for (const layers::LinearGroup* group :
         {&block.attention.qkv, &block.attention.out, &block.mlp.gate_up, &block.mlp.down}) {
      widest = std::max(widest, layers::lora_columns(adapters, *group));
    }
  }
  return widest;
}

// The block whose group has most adapter columns; recomputed blocks share one buffer of that width.
std::int64_t widest_group(const Decoder& decoder, const layers::AdapterSet* adapters,
                          const layers::LinearGroup& (*group)(const Block&)) {
  std::int64_t widest = 0;
  for (const Block& block : decoder.blocks) {
    widest = std::max(widest, layers::lora_columns(adapters, group(block)));
  }
  return widest;
}

}  // namespace

TensorView first_rows(const TensorView& view, std::int64_t rows) {
  return view.present() ? view.slice(0, rows) : view;
}

BlockSaved first_rows(const BlockSaved& saved, std::int64_t rows) {
  BlockSaved cut;
  const auto take = [rows](const TensorView& view) { return first_rows(view, rows); };
  cut.input = take(saved.input);
  cut.middle = take(saved.middle);
  cut.input_rms = take(saved.input_rms);
  cut.middle_rms = take(saved.middle_rms);
  const layers::AttentionSaved& a = saved.attention;
  cut.attention = {take(a.q),           take(a.k),         take(a.v),        take(a.out),
                   take(a.log_sum_exp), take(a.qkv_h),     take(a.out_h),    take(a.q_raw),
                   take(a.k_raw),       take(a.q_inv_rms), take(a.k_inv_rms)};
  const layers::MlpSaved& m = saved.mlp;
  cut.mlp = {take(m.gate), take(m.up), take(m.gate_up_h), take(m.down_h)};
  return cut;
}

PassBuffers::PassBuffers(const Decoder& decoder, const layers::AdapterSet* adapters,
                         const PassCapacity& wanted, const PassOptions& chosen)
    : capacity(wanted), options(chosen) {
  const ModelDescription& model = decoder.description;
  const std::int64_t blocks = model.blocks;
  const std::int64_t tokens = capacity.tokens;
  const Shape table = {capacity.positions, model.head_width / 2};
  list.add(cosines, "rotary cosines", Category::scratch, DType::f32, table);
  list.add(sines, "rotary sines", Category::scratch, DType::f32, table);

  block_inputs.resize(static_cast<std::size_t>(options.training ? blocks : 1));
  const Category kept = options.training ? Category::activations : Category::scratch;
  for (std::size_t i = 0; i < block_inputs.size(); ++i) {
    list.add(block_inputs[i], "block " + std::to_string(i) + ": input", kept, DType::f32,
             {tokens, model.hidden});
  }
  if (recomputed(0)) add_block(shared_block, "any recomputed block: ", decoder, adapters, kept);
  const std::int64_t first_kept = options.training ? options.recomputed_blocks : blocks;
  kept_blocks.resize(static_cast<std::size_t>(blocks - first_kept));
  for (std::int64_t i = first_kept; i < blocks; ++i) {
    add_block(kept_blocks[static_cast<std::size_t>(i - first_kept)],
              "block " + std::to_string(i) + ": ", decoder, adapters, kept);
  }
  list.add(last, "after the last block", kept, DType::f32, {tokens, model.hidden});
  list.add(last_rms, "after the last block: rms", kept, DType::f32, {tokens});
  add_work(decoder, adapters);
  add_head(decoder, adapters);
}

void PassBuffers::add_block(BlockSaved& saved, const std::string& prefix, const Decoder& decoder,
                            const layers::AdapterSet* adapters, Category category) {
  const ModelDescription& model = decoder.description;
  const std::int64_t tokens = capacity.tokens;
  const auto add = [&](TensorView& view, const char* name, std::int64_t columns) {
    if (columns == 0) return;
    list.add(view, prefix + name, category, DType::f32, {tokens, columns});
  };
  const std::int64_t q_width = model.heads * model.head_width;
  const std::int64_t kv_width = model.kv_heads * model.head_width;
  add(saved.middle, "middle", model.hidden);
  list.add(saved.input_rms, prefix + "input rms", category, DType::f32, {tokens});
  list.add(saved.middle_rms, prefix + "middle rms", category, DType::f32, {tokens});
  layers::AttentionSaved& attention = saved.attention;
  add(attention.q, "q", q_width);
  add(attention.k, "k", kv_width);
  add(attention.v, "v", kv_width);
  add(attention.out, "attention", q_width);
  add(attention.log_sum_exp, "log-sum-exp", model.heads);
  if (model.normalizes_heads) {
    add(attention.q_raw, "q before its norm", q_width);
    add(attention.k_raw, "k before its norm", kv_width);
    add(attention.q_inv_rms, "q rms", model.heads);
    add(attention.k_inv_rms, "k rms", model.kv_heads);
  }
  add(saved.mlp.gate, "gate", model.feed_forward);
  add(saved.mlp.up, "up", model.feed_forward);
  using Group = layers::LinearGroup;
  add(attention.qkv_h, "LoRA of q, k, v",
      widest_group(decoder, adapters,
                   [](const Block& b) -> const Group& { return b.attention.qkv; }));
  add(attention.out_h, "LoRA of o",
      widest_group(decoder, adapters,
                   [](const Block& b) -> const Group& { return b.attention.out; }));
  add(saved.mlp.gate_up_h, "LoRA of gate, up",
      widest_group(decoder, adapters,
                   [](const Block& b) -> const Group& { return b.mlp.gate_up; }));
  add(saved.mlp.down_h, "LoRA of down",
      widest_group(decoder, adapters, [](const Block& b) -> const Group& { return b.mlp.down; }));
}

void PassBuffers::add_work(const Decoder& decoder, const layers::AdapterSet* adapters) {
  const ModelDescription& model = decoder.description;
  const auto add = [&](TensorView& view, const char* name, std::int64_t columns,
                       Lifetime lifetime = Lifetime::block) {
    if (columns == 0) return;
    list.add(view, name, Category::scratch, DType::f32, {capacity.tokens, columns}, lifetime);
  };
  const std::int64_t q_width = model.heads * model.head_width;
  const std::int64_t kv_width = model.kv_heads * model.head_width;
  // The walk hands these from one block to the next, and past the head: they live all the time.
  add(delta, "part output", model.hidden, Lifetime::run);
  add(normed, "normed rows", model.hidden, Lifetime::run);
  add(mlp_work.activation, "activation", model.feed_forward);
  if (!options.training) return;
  add(d_residual, "gradient of the residual stream", model.hidden, Lifetime::run);
  add(d_normed, "gradient of normed rows", model.hidden);
  add(mlp_work.d_activation, "gradient of the activation", model.feed_forward);
  add(attention_work.d_out, "gradient of attention", q_width);
  add(attention_work.d_q, "gradient of q", q_width);
  add(attention_work.d_k, "gradient of k", kv_width);
  add(attention_work.d_v, "gradient of v", kv_width);
  add(mlp_work.d_lora_h, "gradient of LoRA's narrow values", widest_lora(decoder, adapters));
}

void PassBuffers::add_head(const Decoder& decoder, const layers::AdapterSet* adapters) {
  const ModelDescription& model = decoder.description;
  const std::int64_t labels = capacity.labels;
  const std::int64_t rows = std::min(layers::kHeadChunkRows, std::max<std::int64_t>(labels, 1));
  list.add(label_x, "label rows", Category::head, DType::f32, {labels, model.hidden},
           Lifetime::head);
  const auto add = [&](TensorView& view, const char* name, const Shape& shape) {
    if (shape.elements() > 0) {
      list.add(view, name, Category::head, DType::f32, shape, Lifetime::head);
    }
  };
  add(head_work.logits, "logits", {rows, model.vocabulary});
  add(head_work.log_probability, "log-probabilities", {rows});
  add(head_work.log_sum_exp, "log-sum-exp of logits", {rows});
  add(head_work.coefficient, "label coefficients", {rows});
  add(head_work.lora_h, "LoRA of the head",
      {rows, layers::lora_columns(adapters, decoder.head.linear)});
  if (!options.training) return;
  add(head_work.d_lora_h, "gradient of the head's LoRA",
      {rows, layers::lora_columns(adapters, decoder.head.linear)});
  add(d_label_x, "gradient of label rows", {labels, model.hidden});
}

BlockSaved PassBuffers::block(std::int64_t index) const {
  const bool shared = recomputed(index);
  BlockSaved saved = shared
                         ? shared_block
                         : kept_blocks[static_cast<std::size_t>(index - options.recomputed_blocks)];
  saved.input = block_inputs[static_cast<std::size_t>(index) % block_inputs.size()];
  return saved;
}

}  // namespace hone::model
