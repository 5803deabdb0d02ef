// From names on a hub in the settings to folders on this machine.
#pragma once

#include <string>

#include "base/log_sink.h"
#include "config/reading/read_settings.h"
#include "hub/hub_options.h"

namespace hone::assemble {

// How hubs are reached, from the program's environment; what settings say of tokens and the cache
// comes before it.
struct HubAccess {
  hub::HubOptions huggingface;
  hub::HubOptions modelscope;
  bool use_modelscope = false;                // USE_MODELSCOPE_HUB
  bool use_openmind = false;                  // USE_OPENMIND_HUB: refused where it would be asked
  hub::DownloadProgress* progress = nullptr;  // may be null
};

struct FetchOptions {
  bool weights = true;  // false: the model's description and tokenizer are enough, for plans
  bool data = true;     // data sets as well
};

// True for a model_name_or_path that names a model on a hub: "org/name" where this machine has no
// folder "org".
bool names_hub_model(const std::string& named);

// Fetches what is not here: the model, adapters, the registry of `dataset_dir: REMOTE:...`, and
// data sets with hf_hub_url or ms_hub_url. Settings then say where they lie; a model keeps its name
// beside that, and may be fetched again, with its weights. Nothing is asked for where no setting
// names a hub. False where the model's weights are not here, as they were not asked for. Throws
// UserError, all faults together.
bool fetch_from_hub(config::Settings& settings, const HubAccess& access,
                    const FetchOptions& options, LogSink& log);

}  // namespace hone::assemble
