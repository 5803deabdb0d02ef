// A small Llama with values that anybody can compute: hidden 16, 2 heads of 8, 1 key head, 2
// blocks, feed-forward 32, vocabulary 264.
#pragma once

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "formats/json_writer.h"
#include "formats/safetensors_writer.h"
#include "formats/value.h"

namespace hone::model {

inline formats::Value kit_config(bool tied) {
  formats::Value config;
  config.set("architectures", formats::Array{formats::Value("LlamaForCausalLM")});
  config.set("model_type", "llama");
  for (const auto& [key, value] :
       std::initializer_list<std::pair<const char*, int>>{{"hidden_size", 16},
                                                          {"num_attention_heads", 2},
                                                          {"num_key_value_heads", 1},
                                                          {"num_hidden_layers", 2},
                                                          {"intermediate_size", 32},
                                                          {"vocab_size", 264},
                                                          {"head_dim", 8},
                                                          {"max_position_embeddings", 4096},
                                                          {"bos_token_id", 259},
                                                          {"eos_token_id", 256},
                                                          {"pad_token_id", 260}}) {
    config.set(key, value);
  }
  config.set("hidden_act", "silu");
  config.set("rms_norm_eps", 1e-6);
  config.set("rope_theta", 10000.0);
  config.set("attention_bias", false);
  config.set("mlp_bias", false);
  config.set("tie_word_embeddings", tied);
  config.set("torch_dtype", "float32");
  return config;
}

// Names and shapes in the order that numbers the values.
inline std::vector<formats::TensorSpec> kit_tensors(bool tied) {
  std::vector<formats::TensorSpec> tensors = {{"model.embed_tokens.weight", DType::f32, {264, 16}}};
  for (int block = 0; block < 2; ++block) {
    const std::string start = "model.layers." + std::to_string(block) + ".";
    tensors.push_back({start + "input_layernorm.weight", DType::f32, {16}});
    tensors.push_back({start + "mlp.down_proj.weight", DType::f32, {16, 32}});
    tensors.push_back({start + "mlp.gate_proj.weight", DType::f32, {32, 16}});
    tensors.push_back({start + "mlp.up_proj.weight", DType::f32, {32, 16}});
    tensors.push_back({start + "post_attention_layernorm.weight", DType::f32, {16}});
    tensors.push_back({start + "self_attn.k_proj.weight", DType::f32, {8, 16}});
    tensors.push_back({start + "self_attn.o_proj.weight", DType::f32, {16, 16}});
    tensors.push_back({start + "self_attn.q_proj.weight", DType::f32, {16, 16}});
    tensors.push_back({start + "self_attn.v_proj.weight", DType::f32, {8, 16}});
  }
  tensors.push_back({"model.norm.weight", DType::f32, {16}});
  if (!tied) tensors.push_back({"lm_head.weight", DType::f32, {264, 16}});
  return tensors;
}

inline std::vector<float> kit_values(std::size_t place, const formats::TensorSpec& tensor) {
  std::vector<float> values(static_cast<std::size_t>(tensor.shape.elements()), 1.0f);
  if (tensor.shape.rank() == 1) return values;  // norms
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = static_cast<float>(0.5 * std::sin(12.9898 * static_cast<double>(k + 1) +
                                                  78.233 * static_cast<double>(place + 1)));
  }
  return values;
}

// Writes config.json and model.safetensors.
inline void write_kit_model(const std::filesystem::path& folder, bool tied) {
  std::filesystem::create_directories(folder);
  formats::PosixFileSystem system;
  formats::write_whole_file(system, folder / "config.json", formats::dump_python(kit_config(tied)));
  const std::vector<formats::TensorSpec> tensors = kit_tensors(tied);
  formats::SafetensorsWriter writer(system, folder / "model.safetensors", tensors,
                                    {{"format", "pt"}});
  for (const formats::TensorSpec& next : writer.order()) {
    for (std::size_t place = 0; place < tensors.size(); ++place) {
      if (tensors[place].name != next.name) continue;
      const std::vector<float> values = kit_values(place, next);
      writer.write(std::as_bytes(std::span(values)));
    }
  }
  writer.commit();
}

}  // namespace hone::model
