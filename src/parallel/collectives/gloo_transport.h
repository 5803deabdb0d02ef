// Ranks in different processes, over TCP through Gloo (unbound buffers of its tcp transport).
//
// A process that uses it must ignore SIGPIPE, or a peer's death may end it without a word.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "parallel/collectives/transport.h"
#include "parallel/ranks/key_value_store.h"

namespace hone::parallel {

struct GlooOptions {
  int rank = 0;
  int ranks = 1;
  std::string interface;  // "eth0"; empty: the one that `host` belongs to
  std::string host;       // address by which others reach this rank; empty: the host's name
  std::chrono::milliseconds connect_limit = std::chrono::seconds(60);
};

// Connects to all other ranks; their addresses are exchanged through `store`, under keys that begin
// with "gloo/". Throws UserError when the interface or a rank cannot be reached.
std::unique_ptr<Transport> connect_gloo(const GlooOptions& options, KeyValueStore& store);

}  // namespace hone::parallel
