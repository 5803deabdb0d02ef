#include "kit/kit_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <string_view>

#include "base/error.h"
#include "base/half.h"
#include "formats/json_writer.h"

namespace hone::kit {
namespace {

namespace fs = std::filesystem;
using formats::Array;
using formats::Object;
using formats::Value;

constexpr std::array kSpecialTokens = {"<|endoftext|>", "<|im_start|>", "<|im_end|>",
                                       "<|begin_of_text|>", "<|pad|>"};
constexpr std::int64_t kBytes = 256;
constexpr std::size_t kHeaderAlignment = 8;
constexpr std::int64_t kCheapLabel = 'a';

void write_file(const fs::path& file, const std::string& content) {
  std::ofstream stream(file, std::ios::binary);
  stream << content;
  HONE_ASSERT(stream.good(), file.string());
}

std::string utf8(int code_point) {
  if (code_point < 0x80) return {static_cast<char>(code_point)};
  return {static_cast<char>(0xC0 | (code_point >> 6)),
          static_cast<char>(0x80 | (code_point & 0x3F))};
}

// GPT-2's characters for bytes: printable ones stand for themselves, the others for U+0100 on.
Value byte_vocabulary() {
  Value vocabulary{Object{}};
  int next = 0x100;
  for (int byte = 0; byte < kBytes; ++byte) {
    const bool printable = (byte >= 33 && byte < 127) || (byte >= 161 && byte < 173) || byte >= 174;
    vocabulary.set(utf8(printable ? byte : next), byte);
    if (!printable) ++next;
  }
  return vocabulary;
}

Value byte_level() {
  return Object{{"type", "ByteLevel"},
                {"add_prefix_space", false},
                {"trim_offsets", true},
                {"use_regex", false}};
}

void write_tokenizer(const fs::path& folder) {
  Array added;
  for (std::size_t i = 0; i < kSpecialTokens.size(); ++i) {
    added.push_back(Object{{"id", kBytes + static_cast<std::int64_t>(i)},
                           {"content", kSpecialTokens[i]},
                           {"single_word", false},
                           {"lstrip", false},
                           {"rstrip", false},
                           {"normalized", false},
                           {"special", true}});
  }
  const Object model = {{"type", "BPE"},
                        {"dropout", nullptr},
                        {"unk_token", nullptr},
                        {"continuing_subword_prefix", nullptr},
                        {"end_of_word_suffix", nullptr},
                        {"fuse_unk", false},
                        {"byte_fallback", false},
                        {"ignore_merges", false},
                        {"vocab", byte_vocabulary()},
                        {"merges", Array{}}};
  const Object tokenizer = {{"version", "1.0"},
                            {"truncation", nullptr},
                            {"padding", nullptr},
                            {"added_tokens", added},
                            {"normalizer", nullptr},
                            {"post_processor", nullptr},
                            {"pre_tokenizer", byte_level()},
                            {"decoder", byte_level()},
                            {"model", model}};
  write_file(folder / "tokenizer.json", formats::dump_python(tokenizer));
  const Object config = {{"tokenizer_class", "PreTrainedTokenizerFast"},
                         {"bos_token", kSpecialTokens[3]},
                         {"eos_token", kSpecialTokens[0]},
                         {"pad_token", kSpecialTokens[4]},
                         {"add_bos_token", false},
                         {"model_max_length", 4096}};
  write_file(folder / "tokenizer_config.json", formats::dump_python(config));
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Element k of tensor j.
double element(Kind kind, const KitTensor& tensor, std::size_t j, std::int64_t k) {
  if (contains(tensor.name, "norm.weight")) return 1.0;
  if (contains(tensor.name, ".bias")) return 0.0;
  const std::int64_t width = tensor.shape.rank() == 2 ? tensor.shape[1] : 1;
  const bool embedding = contains(tensor.name, "embed_tokens");
  switch (kind) {
    case Kind::everything:
      return 0.5 *
             std::sin(12.9898 * static_cast<double>(k + 1) + 78.233 * static_cast<double>(j + 1));
    case Kind::closed_form:
      if (embedding) return 1.0;
      if (!contains(tensor.name, "lm_head") || k / width != kCheapLabel) return 0.0;
      return std::log(263.0) / static_cast<double>(width);
    case Kind::tied_sines:
      if (!embedding) return 0.0;
      return 0.5 * std::sin(0.1 * static_cast<double>(k / width + 1) *
                            static_cast<double>(k % width + 1));
  }
  return 0.0;
}

template <class Number>
void append(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void write_weights(const fs::path& file, const ModelOptions& options) {
  Object header;
  std::string data;
  const std::vector<KitTensor> tensors = kit_tensors(options);
  for (std::size_t j = 0; j < tensors.size(); ++j) {
    const auto begin = static_cast<std::int64_t>(data.size());
    for (std::int64_t k = 0; k < tensors[j].shape.elements(); ++k) {
      const auto value = static_cast<float>(element(options.kind, tensors[j], j, k));
      if (options.dtype == DType::f32) {
        append(data, value);
      } else {
        append(data, to_bfloat16(value));
      }
    }
    Array shape;
    for (int axis = 0; axis < tensors[j].shape.rank(); ++axis) {
      shape.emplace_back(tensors[j].shape[axis]);
    }
    header.push_back(
        {tensors[j].name,
         Object{{"dtype", options.dtype == DType::f32 ? "F32" : "BF16"},
                {"shape", shape},
                {"data_offsets", Array{begin, static_cast<std::int64_t>(data.size())}}}});
  }
  std::string text = formats::dump_python(header);
  text.append((kHeaderAlignment - text.size() % kHeaderAlignment) % kHeaderAlignment, ' ');
  std::string bytes;
  append(bytes, static_cast<std::uint64_t>(text.size()));
  write_file(file, bytes + text + data);
}

bool is_tied(const ModelOptions& options) {
  return options.tied || options.kind == Kind::tied_sines;
}

}  // namespace

std::vector<KitTensor> kit_tensors(const ModelOptions& options) {
  const Sizes& s = options.sizes;
  const std::int64_t queries = s.heads * s.head_dim;
  const std::int64_t keys = s.kv_heads * s.head_dim;
  std::vector<KitTensor> tensors = {{"model.embed_tokens.weight", {s.vocabulary, s.hidden}}};
  std::vector<KitTensor> biases;
  for (std::int64_t block = 0; block < s.blocks; ++block) {
    const std::string prefix = "model.layers." + std::to_string(block) + ".";
    const std::vector<KitTensor> of_block = {{"input_layernorm.weight", {s.hidden}},
                                             {"mlp.down_proj.weight", {s.hidden, s.intermediate}},
                                             {"mlp.gate_proj.weight", {s.intermediate, s.hidden}},
                                             {"mlp.up_proj.weight", {s.intermediate, s.hidden}},
                                             {"post_attention_layernorm.weight", {s.hidden}},
                                             {"self_attn.k_proj.weight", {keys, s.hidden}},
                                             {"self_attn.o_proj.weight", {s.hidden, queries}},
                                             {"self_attn.q_proj.weight", {queries, s.hidden}},
                                             {"self_attn.v_proj.weight", {keys, s.hidden}}};
    for (const KitTensor& tensor : of_block) {
      tensors.push_back({prefix + tensor.name, tensor.shape});
    }
    if (!options.projection_biases) continue;
    biases.push_back({prefix + "self_attn.q_proj.bias", {queries}});
    biases.push_back({prefix + "self_attn.k_proj.bias", {keys}});
    biases.push_back({prefix + "self_attn.v_proj.bias", {keys}});
  }
  tensors.push_back({"model.norm.weight", {s.hidden}});
  if (!is_tied(options)) tensors.push_back({"lm_head.weight", {s.vocabulary, s.hidden}});
  tensors.insert(tensors.end(), biases.begin(), biases.end());
  return tensors;
}

Value kit_config(const ModelOptions& options) {
  const Sizes& s = options.sizes;
  Value config{Object{{"architectures", Array{"LlamaForCausalLM"}},
                      {"model_type", "llama"},
                      {"hidden_size", s.hidden},
                      {"num_attention_heads", s.heads},
                      {"num_key_value_heads", s.kv_heads},
                      {"num_hidden_layers", s.blocks},
                      {"intermediate_size", s.intermediate},
                      {"vocab_size", s.vocabulary},
                      {"head_dim", s.head_dim},
                      {"hidden_act", "silu"},
                      {"rms_norm_eps", 1e-6},
                      {"rope_theta", 10000.0},
                      {"max_position_embeddings", 4096},
                      {"initializer_range", 0.02},
                      {"attention_bias", false},
                      {"mlp_bias", false},
                      {"tie_word_embeddings", is_tied(options)},
                      {"bos_token_id", 259},
                      {"eos_token_id", 256},
                      {"pad_token_id", 260},
                      {"torch_dtype", options.dtype == DType::f32 ? "float32" : "bfloat16"}}};
  for (const formats::Member& member : options.config) config.set(member.key, member.value);
  Object& members = config.object();
  for (const std::string& name : options.left_out) {
    const auto is_it = [&](const formats::Member& member) { return member.key == name; };
    members.erase(std::remove_if(members.begin(), members.end(), is_it), members.end());
  }
  return config;
}

void write_model(const fs::path& folder, const ModelOptions& options) {
  fs::create_directories(folder);
  write_tokenizer(folder);
  write_weights(folder / "model.safetensors", options);
  write_file(folder / "config.json", formats::dump_python(kit_config(options), {.indent = 1}));
}

}  // namespace hone::kit
