// The lists of files that hubs answer with: JSON from a stranger.
//
// Hugging Face (/api/models/<id>/revision/<revision>?blobs=true):
//   {"sha": commit, "siblings": [{"rfilename": name, "size": n, "blobId": git's name,
//                                 "lfs": {"sha256": digest, "size": n}}, ...]}
// ModelScope (/api/v1/models/<id>/repo/files?Revision=...&Recursive=True, for data sets in pages of
// /repo/tree):
//   {"Success": true, "Data": {"Files": [{"Path": name, "Type": "blob" or "tree", "Size": n,
//                                         "Sha256": digest}, ...]}}
#pragma once

#include <string>
#include <vector>

#include "hub/repository.h"

namespace hone::hub {

struct ListingAnswer {
  Listing listing;          // of ModelScope without a commit
  std::size_t entries = 0;  // folders as well, and names that are left out
  std::string fault;        // what it is in place of a list; empty: it is one
};

// Names that would leave the repository's folder are left out, and what is no digest is none.
ListingAnswer huggingface_listing(const std::string& text);
ListingAnswer modelscope_listing(const std::string& text);

bool is_digest(const std::string& text);

}  // namespace hone::hub
