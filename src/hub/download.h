// Fetches one file of a repository into the cache: goes on with what has come before, asks again
// when a transfer breaks off, and believes nothing that does not have the digest that the hub
// promised.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/log_sink.h"
#include "hub/http_client.h"
#include "hub/hub_options.h"
#include "hub/repository.h"
#include "hub/repository_cache.h"

namespace hone::hub {

// What every download of a repository shares; all of it outlives the download.
struct DownloadContext {
  HttpClient& http;
  const HubOptions& options;
  const Repository& repository;
  const RepositoryCache& cache;
  LogSink& log;
};

// The blob of `file` is there afterwards. `file` has a digest; `come(bytes)` is told how much of it
// is here. Errors (UserError): refuse() of hub_answers.h; wrong bytes twice; no room; the system's.
void download_blob(const DownloadContext& context, const RepositoryFile& file,
                   const std::string& url, const std::function<void(std::uint64_t)>& come);

// Waits before an exchange is tried again, after `tries` that failed: as long as the hub wishes, or
// 1, 2, 4, 8 seconds. Throws refuse() when there were five, or a wish is beyond five minutes.
void wait_to_try_again(const HttpResponse& response, int tries, const HubOptions& options,
                       const Repository& repository, const std::string& what, LogSink& log);

}  // namespace hone::hub
