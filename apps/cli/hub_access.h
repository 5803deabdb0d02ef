// The environment variables by which hubs are reached, as the packages huggingface_hub and
// modelscope read them.
#pragma once

#include <memory>
#include <string>

#include "assemble/fetch.h"
#include "cli/command.h"
#include "cli/terminal.h"

namespace hone::cli {

// HF_ENDPOINT, HF_TOKEN (HUGGING_FACE_HUB_TOKEN; else the file HF_TOKEN_PATH or token in HF_HOME,
// unless HF_HUB_DISABLE_IMPLICIT_TOKEN), HF_HUB_CACHE (HUGGINGFACE_HUB_CACHE; else hub in HF_HOME,
// else in XDG_CACHE_HOME/huggingface, else in ~/.cache/huggingface), HF_HUB_OFFLINE
// (TRANSFORMERS_OFFLINE), https_proxy, http_proxy, all_proxy, no_proxy, REQUESTS_CA_BUNDLE,
// CURL_CA_BUNDLE, SSL_CERT_FILE, USE_MODELSCOPE_HUB, MODELSCOPE_ENDPOINT (MODELSCOPE_DOMAIN),
// MODELSCOPE_API_TOKEN, MODELSCOPE_CACHE (else ~/.cache/modelscope), USE_OPENMIND_HUB. Throws
// UserError for a token that could not be sent.
assemble::HubAccess hub_access(const std::string& home);

// Fetches what a command's settings name on a hub, with a progress bar where somebody watches; see
// assemble/fetch.h.
bool fetch_from_hub(config::ReadResult& read, const Invocation& invocation,
                    const assemble::FetchOptions& options, Terminal& terminal);

}  // namespace hone::cli
