// The other ranks of a run that is only planned: there are so many, and nobody answers.
#pragma once

#include "base/error.h"
#include "parallel/collectives/transport.h"

namespace hone::assemble {

class AbsentRanks final : public parallel::Transport {
 public:
  // This is rank 0, which owns as much as any.
  explicit AbsentRanks(int ranks) : ranks_(ranks) {}

  int rank() const override { return 0; }
  int ranks() const override { return ranks_; }
  void exchange(const parallel::Exchange& exchange) override {
    HONE_ASSERT(false, exchange.operation);
  }
  void stop(const std::string&) override {}

 private:
  int ranks_;
};

}  // namespace hone::assemble
