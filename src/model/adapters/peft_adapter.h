// LoRA adapters as PEFT saves them: a folder with adapter_config.json and adapter_model.safetensors
// (f32, bf16 or f16).
//
// Tensors are named base_model.model.<module>.lora_A.weight [rank, in], ...lora_B.weight [out,
// rank]; modules that were trained whole (modules_to_save) base_model.model.<module>.weight. Two
// other forms are accepted with a note: without "base_model.model.", and with an adapter's name as
// in "lora_A.default.weight" or "modules_to_save.default.weight".
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "formats/safetensors_index.h"
#include "formats/value.h"
#include "layers/adapter_set.h"
#include "model/adapters/lora_placement.h"
#include "model/description/decoder.h"
#include "parameters/flat_layout.h"

namespace hone::model {

// What adapter_config.json says. Keys that are not known are ignored; missing ones have PEFT's
// defaults (rank 8, alpha 8).
struct PeftConfig {
  LoraOptions lora;        // dropout included
  std::string base_model;  // base_model_name_or_path; empty when it is not said
};

// `file` is the name for errors. Throws UserError with everything that hone cannot do as the file
// says, each in words: another kind than LoRA, DoRA, trained biases, patterns, targets that are a
// regular expression, initializations that change the base's weights.
PeftConfig read_peft_config(const formats::Value& json, const std::string& file);

class PeftAdapter {
 public:
  // Reads the configuration and maps the tensors. Errors (UserError): see read_peft_config and
  // SafetensorsModel; no adapter_config.json; no weights, or only pickled ones; two tensors that
  // mean the same.
  explicit PeftAdapter(const std::filesystem::path& folder);

  // How to place it in a model: its own rank, alpha and targets. Targets that the model does not
  // have are left out, as PEFT does. Errors (UserError): none of the targets is there; a whole
  // module is not there.
  LoraOptions options_for(const Decoder& decoder) const;

  const std::string& base_model() const { return config_.base_model; }
  const std::filesystem::path& folder() const { return folder_; }
  // Sentences about the names of tensors that the user should know; usually none.
  const std::vector<std::string>& notes() const { return notes_; }

  // Throws UserError with everything that does not fit `decoder`, into which options_for() has been
  // placed: tensors that are missing, that nothing in the model is called by, or of another shape.
  // Parameters are those of the registry that are trainable.
  void check(const ParameterRegistry& registry) const;

  // check(), and then copies all tensors into the flat array of trainable weights (f32 or bf16;
  // bit for bit where the dtype is the file's).
  void load(const ParameterRegistry& registry, const FlatLayout& layout,
            const TensorView& flat) const;

  // The tensor of a registered parameter ("model.layers.0.self_attn.q_proj.lora_A.weight") where it
  // lies; an empty view when there is none.
  ConstTensorView find(const std::string& parameter) const;

 private:
  std::filesystem::path folder_;
  PeftConfig config_;
  formats::SafetensorsModel tensors_;
  std::map<std::string, std::string> file_names_;  // by registered name
  std::vector<std::string> notes_;
};

}  // namespace hone::model
