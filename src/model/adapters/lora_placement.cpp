#include "model/adapters/lora_placement.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/nearest_name.h"

namespace hone::model {
namespace {

std::string module_of(const std::string& parameter_name) {
  return parameter_name.substr(0, parameter_name.rfind('.'));
}

std::string last_component(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

// The groups that share an input, in the order of the walk.
std::vector<const layers::LinearGroup*> groups_of(const Decoder& decoder) {
  std::vector<const layers::LinearGroup*> groups;
  for (const Block& block : decoder.blocks) {
    for (const layers::LinearGroup* group :
         {&block.attention.qkv, &block.attention.out, &block.mlp.gate_up, &block.mlp.down}) {
      groups.push_back(group);
    }
  }
  groups.push_back(&decoder.head.linear);
  return groups;
}

// "q_proj, k_proj, ...": what can be written as a target.
std::string usable_names(const Decoder& decoder) {
  std::vector<std::string> names;
  std::string text;
  for (const LinearModule& module : linear_modules(decoder)) {
    const std::string name = last_component(module.path);
    if (name == "lm_head" || std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

std::vector<std::string> component_names(const Decoder& decoder) {
  std::set<std::string> names;
  for (const LinearModule& module : linear_modules(decoder)) {
    names.insert(last_component(module.path));
  }
  return {names.begin(), names.end()};
}

// The linear layers that the options name.
std::set<ParameterId> targeted(const Decoder& decoder, const LoraOptions& options,
                               FaultList& faults) {
  const std::vector<LinearModule> modules = linear_modules(decoder);
  std::set<ParameterId> chosen;
  const bool all = options.targets.size() == 1 && options.targets.front() == "all";
  if (all) {
    for (const LinearModule& module : modules) {
      if (module.path != "lm_head") chosen.insert(module.weight);
    }
    return chosen;
  }
  if (options.targets.empty()) {
    faults.add({"lora_target", "no module name", "write all, or some of " + usable_names(decoder)});
  }
  for (const std::string& target : options.targets) {
    bool found = false;
    for (const LinearModule& module : modules) {
      if (!module_matches(module.path, target)) continue;
      chosen.insert(module.weight);
      found = true;
    }
    if (!found) {
      faults.add({"lora_target: '" + target + "'",
                  "no linear layer of that name" + did_you_mean(target, component_names(decoder)),
                  "write all, or some of " + usable_names(decoder)});
    }
  }
  return chosen;
}

template <class T>
T by_pattern(const std::map<std::string, T>& pattern, const std::string& path, T otherwise) {
  for (const auto& [name, value] : pattern) {
    if (module_matches(path, name)) return value;
  }
  return otherwise;
}

// Marks parameters of modules that are trained whole.
void mark_whole_modules(Decoder& decoder, ParameterId base_size, const LoraOptions& options,
                        const std::set<ParameterId>& lora_targets, FaultList& faults) {
  for (const std::string& name : options.whole_modules) {
    bool found = false;
    for (ParameterId id = 0; id < base_size; ++id) {
      const Parameter& parameter = decoder.registry.at(id);
      if (!module_matches(module_of(parameter.name), name)) continue;
      found = true;
      decoder.registry.set_trainable(id, true);
      if (lora_targets.count(id) > 0) {
        faults.add({"additional_target: '" + name + "'", "a module that lora_target names as well",
                    "name it in one of the two"});
      }
      if (id == decoder.embedding && decoder.description.tied_embeddings) {
        faults.add({"additional_target: '" + name + "'",
                    "the model's head shares this weight, and an adapter file cannot say so",
                    "leave it out, or use finetuning_type: full"});
      }
    }
    if (!found) {
      faults.add({"additional_target: '" + name + "'", "no module of that name",
                  "name modules such as embed_tokens, lm_head or norm"});
    }
  }
}

// Adds the matrices of one group: first all A, stacked, then all B.
class GroupPlacement {
 public:
  GroupPlacement(Decoder& decoder, const LoraOptions& options, layers::AdapterSet& adapters)
      : decoder_(decoder), options_(options), adapters_(adapters) {}

  void place(const layers::LinearGroup& group, const std::set<ParameterId>& targets,
             FaultList& faults) {
    std::vector<layers::Adapter> placed;
    for (const layers::Linear& linear : group) {
      if (targets.count(linear.weight) > 0) placed.push_back(prepare(linear.weight, faults));
    }
    for (std::size_t i = 0; i < placed.size(); ++i) {
      placed[i].a = add(placed[i], "lora_A", Role::lora_a, i > 0);
    }
    for (layers::Adapter& adapter : placed) {
      adapter.b = add(adapter, "lora_B", Role::lora_b, false);
      adapters_.add(adapter);
    }
  }

 private:
  layers::Adapter prepare(ParameterId weight, FaultList& faults) {
    const Parameter& parameter = decoder_.registry.at(weight);
    const std::string path = path_of(weight);
    layers::Adapter adapter;
    adapter.target = weight;
    adapter.rank = by_pattern(options_.rank_pattern, path, options_.rank);
    adapter.channel = next_channel_++;
    const std::int64_t limit = std::min(parameter.shape[0], parameter.shape[1]);
    // A rank above the layer's own is legal, if pointless; one above every layer is a slip.
    if (adapter.rank < 1 || adapter.rank > 65536) {
      faults.add({"lora_rank: " + std::to_string(adapter.rank) + " for " + path,
                  "a rank that no adapter can have",
                  "write a rank from 1 to " + std::to_string(limit)});
      adapter.rank = 1;
    }
    const double alpha = by_pattern(options_.alpha_pattern, path, options_.alpha);
    const double rank = static_cast<double>(adapter.rank);
    adapter.scale = alpha / (options_.rank_stabilized ? std::sqrt(rank) : rank);
    return adapter;
  }

  std::string path_of(ParameterId weight) const {
    // A tied head has the embedding's weight, but is called by its own name.
    const bool head = weight == decoder_.head.linear.front().weight;
    return head ? "lm_head" : module_of(decoder_.registry.at(weight).name);
  }

  ParameterId add(const layers::Adapter& adapter, const char* kind, Role role, bool stacked) {
    const Parameter& target = decoder_.registry.at(adapter.target);
    const bool head = adapter.target == decoder_.head.linear.front().weight;
    Parameter parameter;
    parameter.name = path_of(adapter.target) + "." + kind + ".weight";
    parameter.shape = role == Role::lora_a ? Shape{adapter.rank, target.shape[1]}
                                           : Shape{target.shape[0], adapter.rank};
    parameter.role = role;
    parameter.unit = head ? decoder_.registry.head_unit() : target.unit;
    parameter.trainable = true;
    parameter.stacked = stacked;
    return decoder_.registry.add(parameter);
  }

  Decoder& decoder_;
  const LoraOptions& options_;
  layers::AdapterSet& adapters_;
  std::uint32_t next_channel_ = 0;
};

}  // namespace

std::vector<LinearModule> linear_modules(const Decoder& decoder) {
  std::vector<LinearModule> modules;
  for (const layers::LinearGroup* group : groups_of(decoder)) {
    for (const layers::Linear& linear : *group) {
      const bool head = group == &decoder.head.linear;
      const std::string path =
          head ? "lm_head" : module_of(decoder.registry.at(linear.weight).name);
      modules.push_back({path, linear.weight});
    }
  }
  return modules;
}

bool module_matches(const std::string& path, const std::string& name) {
  if (name.empty() || path.size() < name.size()) return false;
  const std::size_t start = path.size() - name.size();
  return path.compare(start, name.size(), name) == 0 && (start == 0 || path[start - 1] == '.');
}

layers::AdapterSet place_lora(Decoder& decoder, const LoraOptions& options) {
  FaultList faults;
  const ParameterId base_size = decoder.registry.size();
  layers::AdapterSet adapters(options.dropout);
  const std::set<ParameterId> targets = targeted(decoder, options, faults);
  mark_whole_modules(decoder, base_size, options, targets, faults);
  GroupPlacement placement(decoder, options, adapters);
  for (const layers::LinearGroup* group : groups_of(decoder)) {
    placement.place(*group, targets, faults);
  }
  faults.throw_if_any();
  return adapters;
}

std::string peft_name(const std::string& registered_name) {
  return "base_model.model." + registered_name;
}

}  // namespace hone::model
