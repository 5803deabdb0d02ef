#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "formats/gguf_dequantize.h"
#include "model/description/rope.h"
#include "model/families/family.h"
#include "model/weights/gguf_weights.h"

namespace hone::model {
namespace {

std::string shown(const formats::GgufFile& file) {
  return file.file().path().string();
}

const Family& family_of(const formats::GgufFile& file) {
  const std::string architecture(file.string("general.architecture"));
  std::string known;
  for (const Family& family : families()) {
    if (family.gguf_architecture.empty()) continue;
    if (family.gguf_architecture == architecture) return family;
    known += (known.empty() ? "" : ", ") + std::string(family.gguf_architecture);
  }
  throw UserError({"general.architecture in " + shown(file),
                   "'" + architecture + "', which hone does not have",
                   "use a file of one of these architectures: " + known});
}

// The rotary factors of Llama 3.1 and later come as one divisor per frequency. Their parameters are
// fixed but for the largest divisor, so that the configuration can be found from it, and checked.
formats::Value llama3_scaling(const formats::GgufFile& file, const formats::GgufTensor& tensor,
                              ModelDescription model) {
  std::vector<float> divisors(static_cast<std::size_t>(tensor.shape.elements()));
  formats::dequantize(file, tensor, divisors);
  const std::vector<double> plain = rope_frequencies(model);
  const float largest =
      divisors.empty() ? 1.0f : *std::max_element(divisors.begin(), divisors.end());
  model.rope_scaling = {RopeKind::llama3, static_cast<double>(largest), 1.0, 4.0, 8192.0};
  const std::vector<double> stretched = rope_frequencies(model);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const double wanted = i < divisors.size() ? plain[i] / static_cast<double>(divisors[i]) : 0.0;
    if (std::abs(stretched[i] - wanted) <= 1e-4 * plain[i]) continue;
    throw UserError({"tensor 'rope_freqs.weight' in " + shown(file),
                     "rotary factors that are not Llama 3's",
                     "use the model's safetensors folder, whose config.json names its scaling"});
  }
  formats::Value scaling;
  scaling.set("rope_type", "llama3");
  scaling.set("factor", model.rope_scaling.factor);
  scaling.set("low_freq_factor", 1.0);
  scaling.set("high_freq_factor", 4.0);
  scaling.set("original_max_position_embeddings", std::int64_t{8192});
  return scaling;
}

// Reads "<architecture>.<key>" of one file.
class ArchitectureKeys {
 public:
  ArchitectureKeys(const formats::GgufFile& file, std::string_view architecture)
      : file_(file), prefix_(std::string(architecture) + ".") {}

  std::int64_t integer(const std::string& key) const { return file_.integer(prefix_ + key); }
  double number(const std::string& key) const { return file_.number(prefix_ + key); }
  std::int64_t integer_or(const std::string& key, std::int64_t otherwise) const {
    return file_.optional_integer(prefix_ + key).value_or(otherwise);
  }
  double number_or(const std::string& key, double otherwise) const {
    return file_.optional_number(prefix_ + key).value_or(otherwise);
  }
  std::optional<std::string_view> string(const std::string& key) const {
    return file_.optional_string(prefix_ + key);
  }

 private:
  const formats::GgufFile& file_;
  std::string prefix_;
};

void set_rope(const formats::GgufFile& file, const ArchitectureKeys& keys, formats::Value& config) {
  const double theta = keys.number_or("rope.freq_base", 10000.0);
  config.set("rope_theta", theta);
  const auto type = keys.string("rope.scaling.type");
  if (type && *type != "none") {
    formats::Value scaling;
    scaling.set("rope_type", *type);
    scaling.set("factor", keys.number("rope.scaling.factor"));
    const std::int64_t original = keys.integer_or("rope.scaling.original_context_length", 0);
    if (original > 0) scaling.set("original_max_position_embeddings", original);
    config.set("rope_scaling", scaling);
  } else if (const formats::GgufTensor* factors = file.find_tensor("rope_freqs.weight")) {
    ModelDescription model;
    model.rope_theta = theta;
    model.head_width = config.find("head_dim")->integer();
    config.set("rope_scaling", llama3_scaling(file, *factors, model));
  }
}

void set_special_ids(const formats::GgufFile& file, formats::Value& config) {
  const auto copy = [&](const char* key, const char* name) {
    if (const auto id = file.optional_integer(key)) config.set(name, *id);
  };
  copy("tokenizer.ggml.bos_token_id", "bos_token_id");
  copy("tokenizer.ggml.eos_token_id", "eos_token_id");
  copy("tokenizer.ggml.padding_token_id", "pad_token_id");
}

}  // namespace

formats::Value gguf_config(const formats::GgufFile& file) {
  const Family& family = family_of(file);
  const ArchitectureKeys keys(file, family.gguf_architecture);
  const formats::GgufTensor* embedding = file.find_tensor("token_embd.weight");
  if (embedding == nullptr) {
    throw UserError({"tensor 'token_embd.weight' in " + shown(file), "no such tensor",
                     "use a file that holds a whole language model"});
  }
  formats::Value config;
  config.set("architectures", formats::Array{formats::Value(family.architecture)});
  config.set("model_type", family.model_type);
  const std::int64_t hidden = keys.integer("embedding_length");
  const std::int64_t heads = keys.integer("attention.head_count");
  config.set("hidden_size", hidden);
  config.set("num_hidden_layers", keys.integer("block_count"));
  config.set("num_attention_heads", heads);
  config.set("num_key_value_heads", keys.integer_or("attention.head_count_kv", heads));
  config.set("head_dim",
             keys.integer_or("attention.key_length", heads > 0 ? hidden / heads : hidden));
  config.set("intermediate_size", keys.integer("feed_forward_length"));
  config.set("vocab_size", embedding->shape[0]);
  config.set("max_position_embeddings", keys.integer("context_length"));
  config.set("rms_norm_eps", keys.number("attention.layer_norm_rms_epsilon"));
  config.set("hidden_act", "silu");
  config.set("attention_bias", file.find_tensor("blk.0.attn_output.bias") != nullptr);
  config.set("mlp_bias", file.find_tensor("blk.0.ffn_down.bias") != nullptr);
  config.set("tie_word_embeddings", file.find_tensor("output.weight") == nullptr);
  set_rope(file, keys, config);
  set_special_ids(file, config);
  return config;
}

}  // namespace hone::model
