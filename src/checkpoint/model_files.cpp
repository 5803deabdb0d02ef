#include "checkpoint/model_files.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <unordered_map>

#include "base/error.h"
#include "formats/json_writer.h"
#include "formats/safetensors_shards.h"
#include "formats/safetensors_writer.h"

namespace hone::checkpoint {
namespace {

using formats::FileWriter;
using formats::SafetensorsWriter;
using formats::Value;

// What is converted at a time: large enough to hide the calls, small beside every plan.
constexpr std::int64_t kBlockElements = std::int64_t{1} << 18;

std::span<const std::byte> bytes_of(const ConstTensorView& view) {
  return {static_cast<const std::byte*>(view.raw()), view.bytes()};
}

void write_values(SafetensorsWriter& writer, const FlatValues& values, DType dtype) {
  if (values.dtype() == dtype) {
    values.for_each_piece(0, [&](const ConstTensorView& piece) { writer.write(bytes_of(piece)); });
    return;
  }
  std::vector<std::byte> block(static_cast<std::size_t>(kBlockElements) * size_bytes(dtype));
  values.for_each_piece(kBlockElements, [&](const ConstTensorView& piece) {
    const TensorView to(block.data(), dtype, {piece.elements()});
    model::convert_weight(piece, to);
    writer.write(bytes_of(to));
  });
}

void write_tensor(SafetensorsWriter& writer, const SavedTensor& tensor) {
  if (tensor.shape.elements() == 0) return;
  if (tensor.values.present()) {
    write_values(writer, tensor.values, tensor.dtype);
    return;
  }
  std::vector<std::byte> space(static_cast<std::size_t>(tensor.shape.elements()) *
                               size_bytes(tensor.dtype));
  const TensorView to(space.data(), tensor.dtype, tensor.shape);
  tensor.files->read(tensor.name, to);
  writer.write(bytes_of(to));
}

std::vector<formats::SafetensorsShard> shards_of(const ModelFiles& model) {
  std::vector<formats::TensorSpec> specs;
  for (const SavedTensor& tensor : model.tensors) {
    specs.push_back({tensor.name, tensor.dtype, tensor.shape});
  }
  return formats::divide_into_shards(specs, model.max_file_bytes, model.stem);
}

std::string index_name(const ModelFiles& model) {
  return model.stem + ".safetensors.index.json";
}

std::string config_text(const Value& json) {
  return formats::dump_python(json, {.indent = 2, .sort_keys = true}) + "\n";
}

// "float32": how torch calls a dtype.
std::string torch_name(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return "float32";
    case DType::bf16:
      return "bfloat16";
    case DType::f16:
      return "float16";
    default:
      HONE_ASSERT(false, name(dtype));
      return {};
  }
}

Value model_config(const BaseConfiguration& base, const model::ModelDescription& description,
                   DType dtype) {
  Value config = base.config;
  config.set("architectures", formats::Array{Value(description.architecture)});
  // transformers 5 calls torch_dtype dtype, and reads both.
  const bool new_name = config.find("dtype") != nullptr;
  if (new_name) config.set("dtype", torch_name(dtype));
  if (!new_name || config.find("torch_dtype") != nullptr) {
    config.set("torch_dtype", torch_name(dtype));
  }
  if (config.find("tie_word_embeddings") == nullptr) {
    config.set("tie_word_embeddings", description.tied_embeddings);
  }
  return config;
}

Value generation_config(const BaseConfiguration& base) {
  if (!base.generation_config.is_null()) return base.generation_config;
  Value generation;
  generation.set("_from_model_config", true);
  for (const char* key : {"bos_token_id", "eos_token_id", "pad_token_id"}) {
    const Value* id = base.config.find(key);
    if (id != nullptr && !id->is_null()) generation.set(key, *id);
  }
  return generation;
}

std::vector<std::string> sorted_targets(const model::Decoder& decoder,
                                        const model::LoraOptions& options) {
  std::vector<std::string> names = options.targets;
  if (names == std::vector<std::string>{"all"}) {
    names.clear();
    for (const model::LinearModule& module : model::linear_modules(decoder)) {
      if (module.path != "lm_head") names.push_back(module.path.substr(module.path.rfind('.') + 1));
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Value list_of(const std::vector<std::string>& names) {
  formats::Array array;
  for (const std::string& name : names) array.emplace_back(name);
  return array;
}

// PEFT's own files say 16 where alpha is whole.
Value alpha_value(double alpha) {
  const bool whole = alpha == static_cast<double>(static_cast<std::int64_t>(alpha));
  return whole ? Value(static_cast<std::int64_t>(alpha)) : Value(alpha);
}

std::string adapter_config_text(const model::Decoder& decoder, const model::LoraOptions& options,
                                const std::string& base_model) {
  Value config;
  for (const char* key : {"alora_invocation_tokens", "arrow_config", "auto_mapping", "corda_config",
                          "eva_config", "exclude_modules", "layer_replication", "layers_pattern",
                          "layers_to_transform", "megatron_config", "modules_to_save", "revision",
                          "target_parameters", "trainable_token_indices"}) {
    config.set(key, nullptr);
  }
  for (const char* key :
       {"ensure_weight_tying", "fan_in_fan_out", "lora_bias", "use_dora", "use_qalora"}) {
    config.set(key, false);
  }
  Value ranks{formats::Object()};
  for (const auto& [name, rank] : options.rank_pattern) ranks.set(name, rank);
  Value alphas{formats::Object()};
  for (const auto& [name, alpha] : options.alpha_pattern) alphas.set(name, alpha_value(alpha));
  config.set("alpha_pattern", alphas);
  config.set("base_model_name_or_path", base_model);
  config.set("bias", "none");
  config.set("inference_mode", true);
  config.set("init_lora_weights", true);
  config.set("loftq_config", formats::Object());
  config.set("lora_alpha", alpha_value(options.alpha));
  config.set("lora_dropout", options.dropout);
  config.set("megatron_core", "megatron.core");
  if (!options.whole_modules.empty()) config.set("modules_to_save", list_of(options.whole_modules));
  config.set("peft_type", "LORA");
  config.set("peft_version", "0.18.0");
  config.set("qalora_group_size", 16);
  config.set("r", options.rank);
  config.set("rank_pattern", ranks);
  config.set("target_modules", list_of(sorted_targets(decoder, options)));
  config.set("task_type", "CAUSAL_LM");
  config.set("use_rslora", options.rank_stabilized);
  // Without a line end, as PEFT writes it.
  return formats::dump_python(config, {.indent = 2, .sort_keys = true});
}

}  // namespace

void ModelFiles::add(const std::vector<data::TokenizerFile>& files) {
  for (const data::TokenizerFile& file : files) add({file.name, file.content});
}

void ModelFiles::add(TextFile file) {
  HONE_ASSERT(!texts.empty(), file.name);
  texts.insert(texts.end() - 1, std::move(file));
}

ModelFiles adapter_files(const model::Decoder& decoder, const model::LoraOptions& options,
                         const std::string& base_model, const FlatLayout& layout,
                         const FlatValues& flat) {
  ModelFiles files;
  files.stem = "adapter_model";
  files.max_file_bytes = std::numeric_limits<std::uint64_t>::max();
  for (const FlatRange& range : layout.ranges()) {
    const Parameter& parameter = decoder.registry.at(range.id);
    files.tensors.push_back({model::peft_name(parameter.name), DType::f32, parameter.shape,
                             flat.slice(range.first, range.elements)});
  }
  files.texts.push_back({"adapter_config.json", adapter_config_text(decoder, options, base_model)});
  return files;
}

ModelFiles full_model_files(const model::Decoder& decoder, ParameterId base_size,
                            const FlatLayout& layout, const FlatValues& flat,
                            const model::WeightFiles& weights, const BaseConfiguration& base,
                            DType dtype) {
  ModelFiles files;
  for (ParameterId id = 0; id < base_size; ++id) {
    const Parameter& parameter = decoder.registry.at(id);
    SavedTensor tensor{parameter.name, dtype, parameter.shape, {}, &weights};
    if (parameter.trainable) {
      const FlatRange& range = layout.range_of(id);
      tensor.values = flat.slice(range.first, range.elements);
    }
    files.tensors.push_back(std::move(tensor));
  }
  files.texts.push_back({"generation_config.json", config_text(generation_config(base))});
  files.texts.push_back(
      {"config.json", config_text(model_config(base, decoder.description, dtype))});
  return files;
}

std::vector<std::string> file_names(const ModelFiles& model) {
  std::vector<std::string> names;
  const std::vector<formats::SafetensorsShard> shards = shards_of(model);
  for (const formats::SafetensorsShard& shard : shards) names.push_back(shard.file_name);
  if (shards.size() > 1) names.push_back(index_name(model));
  for (const TextFile& text : model.texts) names.push_back(text.name);
  return names;
}

void write_text(formats::FileSystem& system, const std::filesystem::path& file,
                std::string_view text) {
  FileWriter writer(system, file, FileWriter::Placement::in_place);
  writer.write(text);
  writer.commit();
}

void write_model_files(formats::FileSystem& system, const std::filesystem::path& folder,
                       const ModelFiles& model) {
  std::unordered_map<std::string, const SavedTensor*> by_name;
  std::int64_t parameters = 0;
  for (const SavedTensor& tensor : model.tensors) {
    by_name[tensor.name] = &tensor;
    parameters += tensor.shape.elements();
  }
  const std::vector<formats::SafetensorsShard> shards = shards_of(model);
  for (const formats::SafetensorsShard& shard : shards) {
    SafetensorsWriter writer(system, folder / shard.file_name, shard.tensors, {{"format", "pt"}},
                             FileWriter::Placement::in_place);
    for (const formats::TensorSpec& spec : writer.order()) {
      write_tensor(writer, *by_name.at(spec.name));
    }
    writer.commit();
  }
  if (shards.size() > 1) {
    write_text(system, folder / index_name(model), formats::shard_index_text(shards, parameters));
  }
  for (const TextFile& text : model.texts) write_text(system, folder / text.name, text.content);
}

}  // namespace hone::checkpoint
