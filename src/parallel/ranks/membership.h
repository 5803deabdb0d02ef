// Which rank this process is, from the environment of whoever started it.
//
// Known, in this order:
//   torchrun and Kubernetes' PyTorchJob   RANK, WORLD_SIZE (with LOCAL_RANK, LOCAL_WORLD_SIZE,
//                                         GROUP_RANK where torchrun sets them), MASTER_ADDR,
//                                         MASTER_PORT, TORCHELASTIC_RUN_ID,
//                                         TORCHELASTIC_USE_AGENT_STORE
//   Open MPI (mpirun, MPIJob)             OMPI_COMM_WORLD_RANK, _SIZE, _LOCAL_RANK, _LOCAL_SIZE;
//                                         PMIX_NAMESPACE names the run
//   Slurm (srun)                          SLURM_PROCID, SLURM_STEP_NUM_TASKS, SLURM_LOCALID,
//                                         SLURM_STEP_TASKS_PER_NODE and SLURM_NODEID, else
//                                         SLURM_NTASKS_PER_NODE; SLURM_STEP_NODELIST, else
//                                         SLURM_JOB_NODELIST (its first node is the master);
//                                         SLURM_JOB_ID, SLURM_STEP_ID; a batch script outside of
//                                         srun, which has no step's tasks, is one process
// MASTER_ADDR and MASTER_PORT are taken where they are set, whoever set them.
#pragma once

#include <string>

#include "parallel/ranks/environment_reader.h"

namespace hone::parallel {

enum class Launcher { none, torchrun, open_mpi, slurm };

struct Membership {
  Launcher launcher = Launcher::none;
  int rank = 0;
  int ranks = 1;
  int local_rank = 0;  // on its node
  int local_ranks = 1;
  std::string master_address = "127.0.0.1";
  int master_port = 29500;
  // The launcher's own store listens at master_port: ours lies beside it.
  bool master_port_is_taken = false;
  std::string run_id = "hone";  // the same on all ranks of a run, another one in another
};

// One process where nothing is recognised. Throws UserError with all that is missing or no number.
Membership recognise_membership(const Environment& environment);

// The first host of a Slurm list: "node03" of "node[03-05,9],login1".
std::string first_host(const std::string& node_list);

}  // namespace hone::parallel
