#include "cli/hub_access.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/version.h"
#include "cli/download_bar.h"
#include "cli/launch_environment.h"
#include "formats/whole_file.h"
#include "hub/credential.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestToken = 4096;

std::string first_of(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const auto value = environment(name)) return *value;
  }
  return "";
}

// "1", "on", "yes", "true" in any case, as huggingface_hub has it.
bool is_on(const char* name) {
  std::string value = environment(name).value_or("");
  std::transform(value.begin(), value.end(), value.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return value == "1" || value == "on" || value == "yes" || value == "true";
}

std::string expanded(std::string path, const std::string& home) {
  if (path == "~" || path.rfind("~/", 0) == 0) path.replace(0, 1, home);
  return path;
}

fs::path hub_home(const std::string& home) {
  if (const auto folder = environment("HF_HOME")) return expanded(*folder, home);
  if (const auto folder = environment("XDG_CACHE_HOME")) {
    return fs::path(expanded(*folder, home)) / "huggingface";
  }
  return home.empty() ? fs::path() : fs::path(home) / ".cache" / "huggingface";
}

std::string token_of(const fs::path& hub_home, const std::string& home) {
  for (const char* name : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"}) {
    if (const auto token = environment(name)) return hub::sendable_token(*token, name);
  }
  if (is_on("HF_HUB_DISABLE_IMPLICIT_TOKEN")) return "";
  const std::string named = first_of({"HF_TOKEN_PATH"});
  if (named.empty() && hub_home.empty()) return "";
  const fs::path file = named.empty() ? hub_home / "token" : fs::path(expanded(named, home));
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return "";
  return hub::sendable_token(formats::read_whole_file(file, kLargestToken), file.string());
}

hub::HubOptions common_options() {
  hub::HubOptions options;
  options.offline = is_on("HF_HUB_OFFLINE") || is_on("TRANSFORMERS_OFFLINE");
  options.http.user_agent = "hone/" + std::string(version());
  options.http.https_proxy = first_of({"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"});
  // In capitals it could be the header of a request to a CGI program; nobody reads that one.
  options.http.http_proxy = first_of({"http_proxy", "all_proxy", "ALL_PROXY"});
  options.http.no_proxy = first_of({"no_proxy", "NO_PROXY"});
  options.http.certificates = first_of({"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"});
  return options;
}

hub::HubOptions huggingface_options(const std::string& home) {
  hub::HubOptions options = common_options();
  const fs::path folder = hub_home(home);
  if (const auto endpoint = environment("HF_ENDPOINT")) options.endpoint = *endpoint;
  options.token = token_of(folder, home);
  const std::string cache = first_of({"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"});
  if (!cache.empty()) {
    options.cache = fs::absolute(expanded(cache, home));
  } else if (!folder.empty()) {
    options.cache = fs::absolute(folder / "hub");
  }
  return options;
}

hub::HubOptions modelscope_options(const std::string& home) {
  hub::HubOptions options = common_options();
  options.kind = hub::HubKind::modelscope;
  options.endpoint = first_of({"MODELSCOPE_ENDPOINT", "MODELSCOPE_DOMAIN"});
  if (options.endpoint.empty()) options.endpoint = "www.modelscope.cn";
  if (options.endpoint.find("://") == std::string::npos) {
    options.endpoint.insert(0, "https://");
  }
  if (const auto token = environment("MODELSCOPE_API_TOKEN")) {
    options.token = hub::sendable_token(*token, "MODELSCOPE_API_TOKEN");
  }
  if (const auto cache = environment("MODELSCOPE_CACHE")) {
    options.cache = fs::absolute(expanded(*cache, home));
  } else if (!home.empty()) {
    options.cache = fs::path(home) / ".cache" / "modelscope";
  }
  return options;
}

}  // namespace

assemble::HubAccess hub_access(const std::string& home) {
  assemble::HubAccess access;
  access.huggingface = huggingface_options(home);
  access.modelscope = modelscope_options(home);
  access.use_modelscope = environment_switch("USE_MODELSCOPE_HUB");
  access.use_openmind = environment_switch("USE_OPENMIND_HUB");
  return access;
}

bool fetch_from_hub(config::ReadResult& read, const Invocation& invocation,
                    const assemble::FetchOptions& options, Terminal& terminal) {
  assemble::HubAccess access = hub_access(invocation.home);
  DownloadBar bar(terminal);
  access.progress = &bar;
  return assemble::fetch_from_hub(read.settings, access, options, bar);
}

}  // namespace hone::cli
