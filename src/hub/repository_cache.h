// One repository in the cache of the package huggingface_hub, whose layout this is:
//
//   <cache>/models--org--name/blobs/<digest>               the bytes, under what the hub calls them
//                            /blobs/<digest>.incomplete    what has come of them
//                            /refs/<revision>              the commit that a branch or tag was at
//                            /snapshots/<commit>/<name>    links ../../blobs/<digest>
//   <cache>/.locks/models--org--name/<digest>.lock         held (flock) while a blob is fetched
//
// Data sets lie in datasets--org--name. What that package fetched is found here, and the reverse.
//
// ModelScope's package keeps snapshots/<revision>/<name> in <cache>/models/org--name, of a branch
// as it was last seen, and its versions up to 1.37 had names in <cache>[/hub]/models/org/name (a
// dot of it being "___"), or in <cache>/hub/org/name. Blobs lie beside the snapshots here too, but
// names are hard links to them: plain files for that package, which replaces what it finds changed.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hub/hub_kind.h"
#include "hub/repository.h"

namespace hone::hub {

class RepositoryCache {
 public:
  RepositoryCache(HubKind kind, std::filesystem::path cache, const Repository& repository);

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path blob(const std::string& digest) const;
  std::filesystem::path incomplete(const std::string& digest) const;
  std::filesystem::path snapshot(const std::string& commit) const;

  // The snapshot that the repository's revision was when it was last asked for (where the revision
  // is a commit: of it), for when nobody can be asked; nothing when none is here.
  std::optional<std::filesystem::path> known_snapshot() const;
  // The files of a snapshot that are here, by name, without digests.
  static std::vector<RepositoryFile> files_of(const std::filesystem::path& snapshot);

  // Whether a file of a snapshot is here. Of ModelScope, with the bytes that are listed for it: one
  // file with their blob, or by the checksum up to 64 MiB, by the size beyond.
  bool has(const std::string& commit, const RepositoryFile& file) const;

  // The following make folders and files; errors (UserError): the system's, with the file.
  void remember_commit(const std::string& commit) const;
  void link(const std::string& commit, const std::string& name, const std::string& digest) const;
  // Where an earlier version of ModelScope's package has the bytes of a file, which has a digest,
  // they become a blob; false where not.
  bool take_earlier_copy(const RepositoryFile& file) const;

  // Holds the lock of a blob while it lives.
  class Lock {
   public:
    // `held` is called once where another process holds it, before that is waited for.
    Lock(const RepositoryCache& cache, const std::string& digest,
         const std::function<void()>& held);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    int descriptor_ = -1;
  };

 private:
  std::vector<std::filesystem::path> earlier_folders() const;

  HubKind kind_;
  std::filesystem::path cache_;
  Repository repository_;
  std::string name_;  // "models--org--name", "models/org--name"
  std::filesystem::path folder_;
};

// create_directories; errors (UserError): the system's.
void make_folders(const std::filesystem::path& folder);

}  // namespace hone::hub
