#include "assemble/fetch.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "assemble/training_data.h"
#include "base/error.h"
#include "data/sources/registry.h"
#include "formats/regular_file.h"
#include "formats/text_encoding.h"
#include "hub/credential.h"
#include "hub/hub.h"
#include "hub/hub_answers.h"
#include "hub/wanted_files.h"

namespace hone::assemble {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRemote = "REMOTE:";

// A name that cannot be asked for may have been meant for a folder.
[[noreturn]] void say_no_folder_either(const hub::HubUnreachable& error, const std::string& named) {
  Fault fault = error.faults().front();
  fault.found += fmt::format("; no folder {} either", formats::shown_path(fs::absolute(named)));
  throw UserError(std::move(fault));
}

class Fetcher {
 public:
  Fetcher(config::Settings& settings, const HubAccess& access, const FetchOptions& options,
          LogSink& log)
      : settings_(settings), access_(access), options_(options), log_(log) {}

  bool run() {
    attempt([this] { fetch_model(); });
    for (std::string& path : settings_.model.adapter_name_or_path) {
      attempt([&] { fetch_adapter(path); });
    }
    if (options_.data) {
      attempt([this] { fetch_registry(); });
      fetch_datasets();
    }
    faults_.throw_if_any();
    return !settings_.fetched.model_named || hub::has_weights(settings_.model.model_name_or_path);
  }

 private:
  template <class Action>
  void attempt(const Action& action) {
    try {
      action();
    } catch (const UserError& error) {
      faults_.add(error);
    }
  }

  // Made when something is to be fetched, and not before.
  hub::Hub& hub(hub::HubKind kind) {
    const bool huggingface = kind == hub::HubKind::huggingface;
    std::unique_ptr<hub::Hub>& made = huggingface ? huggingface_ : modelscope_;
    if (made) return *made;
    hub::HubOptions options = huggingface ? access_.huggingface : access_.modelscope;
    const config::ModelSettings& model = settings_.model;
    const std::optional<std::string>& token = huggingface ? model.hf_hub_token : model.ms_hub_token;
    if (token) {
      options.token = hub::sendable_token(*token, hub::words_of(kind).token_setting);
    }
    if (model.cache_dir) options.cache = fs::absolute(*model.cache_dir).lexically_normal();
    made = std::make_unique<hub::Hub>(std::move(options), access_.progress, log_);
    return *made;
  }

  // The hub of models.
  hub::HubKind chosen() const {
    if (access_.use_openmind && !access_.use_modelscope) {
      throw UserError({"USE_OPENMIND_HUB", "a hub that hone does not ask",
                       "unset it to fetch from Hugging Face, set USE_MODELSCOPE_HUB, or fetch the "
                       "files and write the folder's path"});
    }
    return access_.use_modelscope ? hub::HubKind::modelscope : hub::HubKind::huggingface;
  }

  hub::Repository repository(hub::HubKind kind, hub::RepositoryKind what, const std::string& id,
                             const std::string& revision = "main") const {
    return {what, id, revision == "main" ? hub::words_of(kind).revision : revision};
  }

  void fetch_model() {
    std::string& path = settings_.model.model_name_or_path;
    std::optional<std::string>& named = settings_.fetched.model_named;
    if (!named && !names_hub_model(path)) {
      if (settings_.model.model_revision != "main") {
        log_.warning(fmt::format("model_revision has no effect: {} is on this machine",
                                 formats::printable(path)));
      }
      return;
    }
    const std::string id = named.value_or(path);
    const hub::HubKind kind = chosen();
    const hub::Repository asked =
        repository(kind, hub::RepositoryKind::model, id, settings_.model.model_revision);
    try {
      path = hub::fetch_model(hub(kind), asked, options_.weights).string();
    } catch (const hub::HubUnreachable& error) {
      say_no_folder_either(error, id);
    }
    named = id;
  }

  void fetch_adapter(std::string& path) {
    if (!names_hub_model(path)) return;
    const hub::HubKind kind = chosen();
    const hub::Repository asked = repository(kind, hub::RepositoryKind::model, path);
    try {
      path = hub::fetch_adapter(hub(kind), asked).string();
    } catch (const hub::HubUnreachable& error) {
      say_no_folder_either(error, path);
    }
  }

  // `REMOTE:org/name`: dataset_info.json of that data set's repository, on Hugging Face always.
  void fetch_registry() {
    std::string& folder = settings_.data.dataset_dir;
    if (folder.compare(0, kRemote.size(), kRemote) != 0) return;
    const std::string id = folder.substr(kRemote.size());
    hub::Snapshot snapshot =
        hub(hub::HubKind::huggingface).open({hub::RepositoryKind::dataset, id, "main"});
    snapshot.fetch({"dataset_info.json"});
    folder = snapshot.folder().string();
  }

  void fetch_datasets() {
    if (settings_.data.dataset.empty() && settings_.data.eval_dataset.empty()) return;
    std::unique_ptr<data::DatasetRegistry> registry;
    try {
      registry = std::make_unique<data::DatasetRegistry>(
          data::DatasetRegistry::open(settings_.data.dataset_dir));
    } catch (const UserError&) {
      return;  // said, with all else, by whoever reads the data
    }
    for (const auto* names : {&settings_.data.dataset, &settings_.data.eval_dataset}) {
      for (const std::string& name : *names) fetch_dataset(*registry, name);
    }
  }

  void fetch_dataset(const data::DatasetRegistry& registry, const std::string& name) {
    if (settings_.fetched.datasets.count(name) > 0) return;
    data::DatasetEntry entry;
    try {
      entry = registry.find(name, purpose_of(settings_));
    } catch (const UserError&) {
      return;  // as above
    }
    if (!entry.hub) return;
    const data::HubNames& names = *entry.hub;
    const bool modelscope = names.modelscope && (access_.use_modelscope || !names.huggingface);
    const hub::HubKind kind = modelscope ? hub::HubKind::modelscope : hub::HubKind::huggingface;
    const std::string& id = modelscope ? *names.modelscope : *names.huggingface;
    attempt([&] {
      const hub::DatasetPlace place = {repository(kind, hub::RepositoryKind::dataset, id),
                                       names.subset, names.split, names.folder};
      settings_.fetched.datasets[name] = hub::fetch_dataset(hub(kind), place);
    });
  }

  config::Settings& settings_;
  const HubAccess& access_;
  const FetchOptions& options_;
  LogSink& log_;
  FaultList faults_;
  std::unique_ptr<hub::Hub> huggingface_;
  std::unique_ptr<hub::Hub> modelscope_;
};

}  // namespace

bool names_hub_model(const std::string& named) {
  if (!hub::is_repository_id(named)) return false;
  constexpr std::string_view kGguf = ".gguf";
  if (named.size() > kGguf.size() &&
      named.compare(named.size() - kGguf.size(), kGguf.size(), kGguf) == 0) {
    return false;
  }
  std::error_code error;
  return !fs::exists(fs::path(named).parent_path(), error);
}

bool fetch_from_hub(config::Settings& settings, const HubAccess& access,
                    const FetchOptions& options, LogSink& log) {
  return Fetcher(settings, access, options, log).run();
}

}  // namespace hone::assemble
