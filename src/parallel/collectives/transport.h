// How bytes get from one rank to another: the one primitive on which all collectives rest.
//
// A transport is one rank's end of a group. Implementations: threads of one process
// (in_process.h), TCP through Gloo (gloo_transport.h); RCCL's comes with the GPU module.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>

namespace hone::parallel {

struct Outgoing {
  int peer = 0;
  const void* data = nullptr;
  std::size_t bytes = 0;
};

struct Incoming {
  int peer = 0;
  void* data = nullptr;
  std::size_t bytes = 0;
};

struct Exchange {
  const char* operation = "exchange";  // for errors: "reduce-scatter"
  std::span<const Outgoing> outgoing;
  std::span<const Incoming> incoming;
  std::chrono::milliseconds limit{0};
};

class Transport {
 public:
  // Ends this rank's part: a peer that waits for it is told at once that it is gone.
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int ranks() const = 0;

  // Sends and receives at the same time; returns when everything has arrived here and everything
  // that goes out may be overwritten. Nobody is its own peer.
  // Order: between two ranks the k-th message of one is the k-th that the other expects from it,
  // over all calls; sizes must agree, and empty messages are left out on both sides. One call at a
  // time. Ranks without messages for each other do not wait for each other.
  // Throws CollectiveError (collective_error.h): the limit has passed, the peer that is waited for
  // is gone, or stop() was called. Messages are waited for one after another, so that a peer's end
  // may show only when its turn comes: whoever must know at once has a watch (ranks/watch.h) and
  // calls stop(). The transport is of no further use then, and no peer touches the buffers any
  // more.
  virtual void exchange(const Exchange& exchange) = 0;

  // Ends the call in progress and every later one on this rank with an error that gives `reason`;
  // peers that wait for this rank are told that it is gone. From any thread.
  virtual void stop(const std::string& reason) = 0;
};

}  // namespace hone::parallel
