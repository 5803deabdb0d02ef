#include "hub/hub_kind.h"

namespace hone::hub {

const HubWords& words_of(HubKind kind) {
  static constexpr HubWords kHuggingFace = {"HF_TOKEN",     "hf_hub_token",     "HF_ENDPOINT",
                                            "HF_HUB_CACHE", "/settings/tokens", "main"};
  static constexpr HubWords kModelScope = {"MODELSCOPE_API_TOKEN", "ms_hub_token",
                                           "MODELSCOPE_ENDPOINT",  "MODELSCOPE_CACHE",
                                           "/my/access/token",     "master"};
  return kind == HubKind::huggingface ? kHuggingFace : kModelScope;
}

}  // namespace hone::hub
