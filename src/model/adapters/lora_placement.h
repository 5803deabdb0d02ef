// Which linear layers get LoRA matrices, and which modules are trained whole beside them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "layers/adapter_set.h"
#include "model/description/decoder.h"

namespace hone::model {

// A linear layer by its module path: "model.layers.0.self_attn.q_proj".
struct LinearModule {
  std::string path;
  ParameterId weight = kNoParameter;
};

// Every linear layer of the model in the order of the walk, the head last.
std::vector<LinearModule> linear_modules(const Decoder& decoder);

struct LoraOptions {
  // Module names: a module matches an entry that is its path or the end of it after a dot. The one
  // entry "all" means every linear layer but the head.
  std::vector<std::string> targets = {"all"};
  std::int64_t rank = 8;
  double alpha = 16.0;
  bool rank_stabilized = false;  // rsLoRA: scale alpha / sqrt(rank)
  double dropout = 0.0;
  // PEFT's rank_pattern and alpha_pattern: by name as in targets, for modules that differ.
  std::map<std::string, std::int64_t> rank_pattern;
  std::map<std::string, double> alpha_pattern;
  // Modules that are trained whole (PEFT's modules_to_save).
  std::vector<std::string> whole_modules;
};

// Whether `path` is `name` or ends with "." + name.
bool module_matches(const std::string& path, const std::string& name);

// Registers the matrices in the decoder's registry (after all others, in the order of the walk, the
// A matrices of layers that share an input stacked), marks them and the whole modules trainable,
// and says where they sit. Errors (UserError), all at once: an entry that matches nothing, with the
// names that can be used; rank below 1 or above what the layer has; whole modules that do not exist
// or whose weight is tied to another's.
layers::AdapterSet place_lora(Decoder& decoder, const LoraOptions& options);

// "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight" for the registry's
// "model.layers.0.self_attn.q_proj.lora_A.weight", as PEFT names it in files.
std::string peft_name(const std::string& registered_name);

}  // namespace hone::model
