#include "model/adapters/peft_adapter.h"

#include <algorithm>

#include "base/error.h"
#include "formats/json.h"
#include "formats/regular_file.h"
#include "model/weights/weight_files.h"

namespace hone::model {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfigName = "adapter_config.json";
constexpr const char* kStem = "adapter_model";
constexpr std::string_view kPrefix = "base_model.model.";
constexpr std::size_t kNamesShown = 8;

fs::path checked_folder(const fs::path& folder) {
  const std::string asked = "adapter " + formats::shown_path(folder);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    throw UserError({asked, fs::exists(folder, ignored) ? "not a folder" : "no such folder",
                     "name a folder with adapter_config.json and adapter_model.safetensors"});
  }
  if (!fs::exists(folder / kConfigName, ignored)) {
    throw UserError({asked, "no adapter_config.json in it",
                     "name a folder as PEFT saves it; the file says rank, alpha and targets"});
  }
  return folder;
}

PeftConfig config_in(const fs::path& folder) {
  const fs::path file = folder / kConfigName;
  return read_peft_config(formats::read_json(file), formats::shown_path(file));
}

formats::SafetensorsModel tensors_in(const fs::path& folder) {
  if (formats::SafetensorsModel::is_in(folder, kStem)) {
    return formats::SafetensorsModel(folder, kStem);
  }
  std::error_code ignored;
  const bool pickled = fs::exists(folder / "adapter_model.bin", ignored);
  throw UserError({"adapter " + formats::shown_path(folder),
                   pickled ? "only adapter_model.bin, a pickle, which hone does not open"
                           : "no adapter_model.safetensors in it",
                   pickled ? "save the adapter again with peft, which writes safetensors"
                           : "put the adapter's weights beside its adapter_config.json"});
}

// The registered name of a tensor, and in which other form the file names it.
struct FoundName {
  std::string name;
  bool without_prefix = false;
  bool with_adapter_name = false;
};

// Takes "<adapter>." out of "<path>.lora_A.<adapter>.weight".
void drop_adapter_name(FoundName& found, std::string_view kind) {
  const std::size_t at = found.name.find(kind);
  if (at == std::string::npos) return;
  const std::size_t start = at + kind.size();
  const std::size_t dot = found.name.find('.', start);
  if (dot == std::string::npos || found.name.find('.', dot + 1) != std::string::npos) return;
  found.name.erase(start, dot + 1 - start);
  found.with_adapter_name = true;
}

// Makes "<path>.weight" of "<path>.modules_to_save.weight".
void drop_saved_marker(FoundName& found) {
  const std::string_view marker = ".modules_to_save.";
  drop_adapter_name(found, marker);
  const std::size_t at = found.name.find(marker);
  if (at == std::string::npos) return;
  found.name.erase(at, marker.size() - 1);
  found.with_adapter_name = true;
}

FoundName registered_name(const std::string& file_name) {
  FoundName found;
  found.without_prefix = file_name.compare(0, kPrefix.size(), kPrefix) != 0;
  found.name = found.without_prefix ? file_name : file_name.substr(kPrefix.size());
  drop_adapter_name(found, ".lora_A.");
  drop_adapter_name(found, ".lora_B.");
  drop_saved_marker(found);
  return found;
}

// "a, b, c and 5 more".
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kNamesShown; ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kNamesShown) {
    text += " and " + std::to_string(names.size() - kNamesShown) + " more";
  }
  return text;
}

bool is_weight_dtype(DType dtype) {
  return dtype == DType::f32 || dtype == DType::bf16 || dtype == DType::f16 || dtype == DType::f64;
}

bool has_module(const Decoder& decoder, const std::string& name) {
  for (ParameterId id = 0; id < decoder.registry.size(); ++id) {
    const std::string& parameter = decoder.registry.at(id).name;
    if (module_matches(parameter.substr(0, parameter.rfind('.')), name)) return true;
  }
  return false;
}

}  // namespace

PeftAdapter::PeftAdapter(const fs::path& folder)
    : folder_(checked_folder(folder)), config_(config_in(folder)), tensors_(tensors_in(folder)) {
  FaultList faults;
  std::size_t without_prefix = 0;
  std::size_t with_adapter_name = 0;
  for (const formats::SafetensorsFile& file : tensors_.files()) {
    for (const formats::SafetensorsEntry& entry : file.tensors()) {
      const FoundName found = registered_name(entry.name);
      without_prefix += found.without_prefix;
      with_adapter_name += found.with_adapter_name;
      const auto [place, is_new] = file_names_.emplace(found.name, entry.name);
      if (is_new) continue;
      faults.add({"tensor '" + entry.name + "' in adapter " + formats::shown_path(folder),
                  "'" + place->second + "' is there too and means the same",
                  "keep one adapter in a file"});
    }
  }
  faults.throw_if_any();
  const std::string start = "adapter " + formats::shown_path(folder) + ": ";
  if (without_prefix > 0) {
    notes_.push_back(start + std::to_string(without_prefix) +
                     " tensors lack \"base_model.model.\" before their names; read as if it were "
                     "there");
  }
  if (with_adapter_name > 0) {
    notes_.push_back(start + std::to_string(with_adapter_name) +
                     " tensors have an adapter's name in theirs; read as if it were not there");
  }
}

LoraOptions PeftAdapter::options_for(const Decoder& decoder) const {
  LoraOptions options = config_.lora;
  const std::string file = formats::shown_path(folder_ / kConfigName);
  const std::string remedy =
      "use it with the model that it was trained for" +
      (config_.base_model.empty() ? std::string() : ": '" + config_.base_model + "'");
  FaultList faults;
  if (!(options.targets == std::vector<std::string>{"all"})) {
    const std::vector<LinearModule> modules = linear_modules(decoder);
    const auto is_absent = [&](const std::string& target) {
      return std::none_of(modules.begin(), modules.end(), [&](const LinearModule& module) {
        return module_matches(module.path, target);
      });
    };
    const auto first = std::remove_if(options.targets.begin(), options.targets.end(), is_absent);
    options.targets.erase(first, options.targets.end());
    if (options.targets.empty()) {
      faults.add({"target_modules in " + file,
                  "the model has no linear layer of these names: " + listed(config_.lora.targets),
                  remedy});
    }
  }
  for (const std::string& name : options.whole_modules) {
    if (has_module(decoder, name)) continue;
    faults.add({"modules_to_save in " + file, "the model has no module '" + name + "'", remedy});
  }
  faults.throw_if_any();
  return options;
}

void PeftAdapter::check(const ParameterRegistry& registry) const {
  FaultList faults;
  const std::string where = "adapter " + formats::shown_path(folder_);
  std::map<std::string, std::string> unused = file_names_;
  std::vector<std::string> missing;
  for (ParameterId id = 0; id < registry.size(); ++id) {
    const Parameter& parameter = registry.at(id);
    if (!parameter.trainable) continue;
    unused.erase(parameter.name);
    const auto name = file_names_.find(parameter.name);
    if (name == file_names_.end()) {
      missing.push_back(peft_name(parameter.name));
      continue;
    }
    const formats::SafetensorsEntry& entry = *tensors_.find(name->second);
    if (entry.shape_text() != parameter.shape.to_text()) {
      faults.add({"tensor '" + entry.name + "' in " + where,
                  "shape " + entry.shape_text() +
                      ", where adapter_config.json and the model ask "
                      "for " +
                      parameter.shape.to_text(),
                  "use the adapter_config.json and the model that belong to these weights"});
    } else if (!entry.type->dtype || !is_weight_dtype(*entry.type->dtype)) {
      faults.add({"tensor '" + entry.name + "' in " + where,
                  "stored as " + std::string(entry.type->name), "store it as F32, BF16 or F16"});
    }
  }
  if (!missing.empty()) {
    faults.add({where, "no tensor " + listed(missing),
                "use complete weights that belong to this adapter_config.json"});
  }
  if (!unused.empty()) {
    std::vector<std::string> names;
    for (const auto& [registered, in_file] : unused) names.push_back(in_file);
    faults.add({where,
                "tensors that belong to nothing that it adapts in this model: " + listed(names),
                "use the adapter_config.json and the model that belong to these weights"});
  }
  faults.throw_if_any();
}

void PeftAdapter::load(const ParameterRegistry& registry, const FlatLayout& layout,
                       const TensorView& flat) const {
  check(registry);
  for (const FlatRange& range : layout.ranges()) {
    const Parameter& parameter = registry.at(range.id);
    convert_weight(find(parameter.name),
                   flat.slice(range.first, range.elements).reshape(parameter.shape));
  }
}

ConstTensorView PeftAdapter::find(const std::string& parameter) const {
  const auto name = file_names_.find(parameter);
  return name == file_names_.end() ? ConstTensorView() : tensors_.view(name->second);
}

}  // namespace hone::model
