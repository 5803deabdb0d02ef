// Repositories of a hub in the interface of Hugging Face's: what is in them, and their files on
// this machine, in the cache of the package huggingface_hub (repository_cache.h).
//
// Asked for: GET <endpoint>/api/models/<id>/revision/<revision>?blobs=true (api/datasets for data
// sets) for the commit and the files with size and digest, and GET
// <endpoint>/<id>/resolve/<commit>/<file> (datasets/<id>/... for data sets) for a file. Nothing
// else leaves this machine but, where a name is not known, a search for those near it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/log_sink.h"
#include "hub/http_client.h"
#include "hub/hub_options.h"
#include "hub/repository.h"
#include "hub/repository_cache.h"

namespace hone::hub {

class Hub;

// A repository at one commit.
class Snapshot {
 public:
  // On the hub; where it was not asked, or not reached, those that are in the cache.
  const std::vector<RepositoryFile>& files() const { return listing_.files; }
  bool lists(const std::string& name) const;

  // The folder in which files have their names.
  const std::filesystem::path& folder() const { return folder_; }

  // The named files, which the listing has, are in the folder afterwards. Errors (UserError):
  // download.h; where the hub is not asked: what is missing.
  void fetch(const std::vector<std::string>& names);

  // The bytes of one file, which does not get its name in the folder by that: for what must not be
  // seen before that which it names.
  std::filesystem::path peek(const std::string& name);

 private:
  friend class Hub;
  Snapshot(Hub& hub, Repository repository);
  // Those of the named that are not in the folder.
  std::vector<const RepositoryFile*> missing(const std::vector<std::string>& names) const;
  // Their blobs are here afterwards; `come` is told of each.
  void fetch_blobs(const std::vector<const RepositoryFile*>& files,
                   const std::function<void(const RepositoryFile&)>& come);

  Hub* hub_;
  Repository repository_;
  RepositoryCache cache_;
  Listing listing_;
  std::filesystem::path folder_;
  bool from_cache_ = false;
};

class Hub {
 public:
  // `progress` (may be null) and `log` outlive this.
  Hub(HubOptions options, DownloadProgress* progress, LogSink& log);
  ~Hub();
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  // Asks what is in a repository. Where the hub cannot be reached and the cache has a snapshot,
  // that one, with a warning; offline, that one alone. Errors (UserError): hub_answers.h; nothing
  // in the cache; no folder for a cache.
  Snapshot open(const Repository& repository);

  const HubOptions& options() const { return options_; }

 private:
  friend class Snapshot;
  Listing list(const Repository& repository);
  std::string ask(const Repository& repository, const std::string& url);
  std::string near_names(const Repository& repository);
  // The digest and size of a file whose listing has none, from the headers of its own address.
  void complete(const Repository& repository, RepositoryFile& file, const std::string& url);

  HubOptions options_;
  DownloadProgress* progress_;
  LogSink& log_;
  std::unique_ptr<HttpClient> http_;
};

}  // namespace hone::hub
