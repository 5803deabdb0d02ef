// The hubs that are known, and how errors name what belongs to each.
#pragma once

namespace hone::hub {

enum class HubKind { huggingface, modelscope };

struct HubWords {
  const char* token_variable;
  const char* token_setting;
  const char* endpoint_variable;
  const char* cache_variable;
  const char* tokens_page;  // below the endpoint
  const char* revision;     // where the settings name none
};

const HubWords& words_of(HubKind kind);

}  // namespace hone::hub
