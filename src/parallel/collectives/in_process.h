// Ranks that are threads of one process: every multi-rank test runs on them.
//
// Bytes are copied once, from the sender's memory to the receiver's, by the receiver.
#pragma once

#include <functional>
#include <memory>

#include "parallel/collectives/transport.h"

namespace hone::parallel {

class InProcessGroup {
 public:
  explicit InProcessGroup(int ranks);
  ~InProcessGroup();
  InProcessGroup(const InProcessGroup&) = delete;
  InProcessGroup& operator=(const InProcessGroup&) = delete;

  int ranks() const;

  // The end of one rank, made once. May outlive the group.
  std::unique_ptr<Transport> join(int rank);

  struct Meeting;

 private:
  std::shared_ptr<Meeting> meeting_;
};

// Runs body(transport) on a thread for each of `ranks` ranks and returns when all have ended. Each
// thread is a root thread of OpenMP with a team of its own. When bodies throw, the error of the
// rank that threw first is thrown on; the others learn that it is gone.
void run_ranks(int ranks, const std::function<void(Transport&)>& body);

}  // namespace hone::parallel
