#include <array>
#include <cmath>

#include "base/error.h"
#include "formats/json.h"
#include "model/adapters/peft_adapter.h"

namespace hone::model {
namespace {

using formats::JsonObject;
using formats::Value;

constexpr std::int64_t kLargestRank = 65536;
constexpr const char* kMergeRemedy =
    "merge the adapter into its base model with peft, and use the merged model";

// A key that changes what the adapter computes, and what it asks for.
struct Unsupported {
  std::string_view key;
  std::string_view meaning;
};

constexpr std::array<Unsupported, 16> kUnsupported = {{
    {"use_dora", "DoRA, which hone does not have"},
    {"use_qalora", "QA-LoRA, which hone does not have"},
    {"use_bdlora", "block-diagonal matrices, which hone does not have"},
    {"lora_bias", "biases beside the matrices, which hone does not have"},
    {"exclude_modules", "exceptions from target_modules, which hone does not read"},
    {"layers_to_transform", "a choice of layers, which hone does not read"},
    {"layer_replication", "replicated layers, which hone does not have"},
    {"target_parameters", "adapters of bare parameters, which hone does not have"},
    {"trainable_token_indices", "rows of the embedding trained alone, which hone does not have"},
    {"alora_invocation_tokens", "activation by tokens, which hone does not have"},
    {"arrow_config", "routing among adapters, which hone does not have"},
    {"corda_config", "a start that changes the base model's weights"},
    {"lora_ga_config", "a start that changes the base model's weights"},
    {"kasa_config", "KaSA, which hone does not have"},
    {"velora_config", "VeLoRA, which hone does not have"},
    {"monteclora_config", "MonteCLoRA, which hone does not have"},
}};

// Whether a key asks for anything: not null, false or empty.
bool is_set(const Value* value) {
  if (value == nullptr || value->is_null()) return false;
  if (value->kind() == Value::Kind::boolean) return value->boolean();
  if (const formats::Array* array = value->get_array()) return !array->empty();
  if (const formats::Object* object = value->get_object()) return !object->empty();
  return true;
}

class ConfigReader {
 public:
  ConfigReader(const Value& json, const std::string& file) : config_(json, file) {}

  PeftConfig read() {
    refuse_other_kinds();
    for (const Unsupported& unsupported : kUnsupported) {
      if (!is_set(config_.find(unsupported.key))) continue;
      refuse(unsupported.key, std::string(unsupported.meaning), kMergeRemedy);
    }
    attempt([&] { read_numbers(); });
    attempt([&] { read_targets(); });
    attempt([&] { read_whole_modules(); });
    attempt([&] { read_patterns(); });
    attempt([&] {
      result_.base_model = config_.optional_string("base_model_name_or_path").value_or("");
    });
    faults_.throw_if_any();
    return result_;
  }

 private:
  template <class Step>
  void attempt(const Step& step) {
    try {
      step();
    } catch (const UserError& error) {
      faults_.add(error);
    }
  }

  void refuse(std::string_view key, std::string found, std::string remedy) {
    faults_.add({config_.where(key), std::move(found), std::move(remedy)});
  }

  void refuse_other_kinds() {
    attempt([&] {
      const std::string kind = config_.optional_string("peft_type").value_or("LORA");
      if (kind != "LORA") refuse("peft_type", "'" + kind + "'", "use a LoRA adapter");
    });
    attempt([&] {
      const std::string task = config_.optional_string("task_type").value_or("CAUSAL_LM");
      if (task == "CAUSAL_LM") return;
      refuse("task_type", "'" + task + "'", "use an adapter of a language model: CAUSAL_LM");
    });
    attempt([&] {
      const std::string bias = config_.optional_string("bias").value_or("none");
      if (bias != "none") refuse("bias", "'" + bias + "': trained biases", kMergeRemedy);
    });
    const Value* start = config_.find("init_lora_weights");
    const std::string* name = start == nullptr ? nullptr : start->get_string();
    if (name == nullptr || *name == "gaussian" || *name == "orthogonal" || *name == "eva") return;
    refuse(
        "init_lora_weights",
        "'" + *name + "': a start that changes the base model's weights, which hone does not do",
        "convert the adapter to plain LoRA with peft (path_initial_model_for_weight_conversion)");
  }

  void read_numbers() {
    LoraOptions& lora = result_.lora;
    lora.rank = config_.optional_integer("r").value_or(8);
    lora.alpha = config_.optional_number("lora_alpha").value_or(8.0);
    lora.rank_stabilized = config_.optional_boolean("use_rslora").value_or(false);
    lora.dropout = config_.optional_number("lora_dropout").value_or(0.0);
    check_rank("r", std::to_string(lora.rank), lora.rank);
    if (!(lora.dropout >= 0.0 && lora.dropout < 1.0)) {
      refuse("lora_dropout", "not a probability", "write a number from 0 to below 1");
    }
  }

  void check_rank(std::string_view key, const std::string& shown, std::int64_t rank) {
    if (rank >= 1 && rank <= kLargestRank) return;
    refuse(key, shown + ", a rank that no adapter can have",
           "write the rank that the adapter's matrices have");
  }

  void read_targets() {
    const Value* targets = config_.find("target_modules");
    if (targets != nullptr && targets->is_string()) {
      if (targets->string() == "all-linear") {
        result_.lora.targets = {"all"};
        return;
      }
      refuse("target_modules", "'" + targets->string() + "', a regular expression",
             "write the list of the modules' names");
      return;
    }
    result_.lora.targets = names("target_modules");
    if (result_.lora.targets.empty()) {
      refuse("target_modules", "no module", "write the list of the modules' names");
    }
  }

  void read_whole_modules() { result_.lora.whole_modules = names("modules_to_save"); }

  std::vector<std::string> names(std::string_view key) {
    std::vector<std::string> names;
    const formats::Array* array = config_.optional_array(key);
    if (array == nullptr) return names;
    for (const Value& value : *array) {
      if (value.is_string() && !value.string().empty()) {
        names.push_back(value.string());
      } else {
        refuse(key, "a member that is not a name", "write a list of the modules' names");
      }
    }
    return names;
  }

  void read_patterns() {
    for_each_pattern("rank_pattern", [&](const std::string& name, const Value& value) {
      if (value.kind() != Value::Kind::integer) {
        refuse("rank_pattern." + name, "not a whole number", "write the matrices' rank");
        return;
      }
      check_rank("rank_pattern." + name, std::to_string(value.integer()), value.integer());
      result_.lora.rank_pattern[name] = value.integer();
    });
    for_each_pattern("alpha_pattern", [&](const std::string& name, const Value& value) {
      if (value.kind() != Value::Kind::integer && value.kind() != Value::Kind::number) {
        refuse("alpha_pattern." + name, "not a number", "write the alpha of these modules");
        return;
      }
      result_.lora.alpha_pattern[name] = value.number();
    });
  }

  // PEFT reads the names as regular expressions and takes the first that matches, in the order of
  // the file. Plain names mean the same here, as long as no two of them match one module.
  template <class Take>
  void for_each_pattern(std::string_view key, const Take& take) {
    const std::optional<JsonObject> patterns = config_.optional_object(key);
    if (!patterns) return;
    const formats::Object& members = patterns->value().object();
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::string& name = members[i].key;
      if (!is_plain(name)) {
        refuse(key, "'" + name + "', a regular expression", "write the modules' plain names");
        continue;
      }
      for (std::size_t j = 0; j < i; ++j) {
        const std::string& other = members[j].key;
        if (!module_matches(name, other) && !module_matches(other, name)) continue;
        if (members[i].value == members[j].value) continue;
        refuse(key, "'" + other + "' and '" + name + "' match the same modules",
               "write full module names");
      }
      take(name, members[i].value);
    }
  }

  static bool is_plain(const std::string& name) {
    const std::string_view allowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    return !name.empty() && name.find_first_not_of(allowed) == std::string::npos;
  }

  JsonObject config_;
  PeftConfig result_;
  FaultList faults_;
};

}  // namespace

PeftConfig read_peft_config(const Value& json, const std::string& file) {
  return ConfigReader(json, file).read();
}

}  // namespace hone::model
