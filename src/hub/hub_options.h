// What the program knows of a hub and of the user's place in it. apps/ fills this in from the
// environment and the settings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "hub/http_client.h"
#include "hub/hub_kind.h"

namespace hone::hub {

struct HubOptions {
  HubKind kind = HubKind::huggingface;
  std::string endpoint = "https://huggingface.co";  // HF_ENDPOINT
  std::string token;                                // empty: none; shown nowhere
  std::filesystem::path cache;  // see repository_cache.h; empty: nothing can be fetched
  bool offline = false;         // HF_HUB_OFFLINE
  HttpOptions http;
  std::function<void(double seconds)> wait;  // empty: really waits
};

// Told of a download as it goes; implemented where there is somebody to watch.
class DownloadProgress {
 public:
  virtual ~DownloadProgress() = default;
  // So many files and bytes are to come.
  virtual void started(std::size_t files, std::uint64_t bytes) = 0;
  // `name` has come as far as `done` of `of` bytes (0: not known); with `all_done` bytes of all.
  virtual void advanced(const std::string& name, std::uint64_t done, std::uint64_t of,
                        std::uint64_t all_done) = 0;
  virtual void finished() = 0;
};

}  // namespace hone::hub
