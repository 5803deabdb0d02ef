// What starting ranks on this machine was asked for, by the variables of LLaMA-Factory's launcher.
//
//   FORCE_TORCHRUN     true, y or 1: start ranks, also a single one
//   NPROC_PER_NODE     ranks of this machine (1); more than one asks for ranks by itself
//   NNODES, NODE_RANK  machines (1) and the number of this one (0)
//   MASTER_ADDR        where rank 0 runs (127.0.0.1); needed on several machines
//   MASTER_PORT        (a free one); needed on several machines
//   MAX_RESTARTS       how often the ranks are started again after a failure (0)
//   RDZV_ID            names the run
//   MIN_NNODES, MAX_NNODES  accepted where they say the same: the number of ranks does not change
//                      during a run
// A process that some launcher has made a rank of (RANK, WORLD_SIZE) starts none.
#pragma once

#include <optional>
#include <string>

#include "parallel/ranks/environment_reader.h"

namespace hone::parallel {

struct LaunchPlan {
  int nodes = 1;
  int node = 0;
  int ranks_per_node = 1;
  std::string master_address = "127.0.0.1";
  int master_port = 0;  // 0: whoever starts the ranks chooses a free one
  int max_restarts = 0;
  std::string run_id = "hone";

  int ranks() const { return nodes * ranks_per_node; }
};

// Nothing where no ranks are to be started. Throws UserError with all that is wrong.
std::optional<LaunchPlan> plan_launch(const Environment& environment);

// The environment of one rank of this machine: that of the launcher, with what membership.h reads
// in torchrun's form, and nothing of other launchers. `attempt`: 0, then 1 for the first restart.
Environment environment_of_rank(const Environment& launcher, const LaunchPlan& plan, int local_rank,
                                int attempt);

}  // namespace hone::parallel
