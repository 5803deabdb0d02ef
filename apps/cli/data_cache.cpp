#include "cli/data_cache.h"

#include "cli/launch_environment.h"

namespace hone::cli {

std::filesystem::path data_cache_folder(const std::string& home) {
  if (const auto folder = environment("HF_DATASETS_CACHE")) {
    return std::filesystem::path(*folder) / "hone";
  }
  if (const auto folder = environment("HF_HOME")) {
    return std::filesystem::path(*folder) / "datasets" / "hone";
  }
  std::filesystem::path caches;
  if (const auto folder = environment("XDG_CACHE_HOME")) {
    caches = *folder;
  } else if (!home.empty()) {
    caches = std::filesystem::path(home) / ".cache";
  } else {
    return {};
  }
  return caches / "huggingface" / "datasets" / "hone";
}

}  // namespace hone::cli
