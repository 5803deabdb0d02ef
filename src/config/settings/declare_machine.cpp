#include "config/settings/storage.h"

namespace hone::config {

void declare_machine(Declarations& to) {
  using M = MachineSettings;
  to.works(Group::machine, "device", Kind::text, stored<&Settings::machine, &M::device>(),
           "What computes: cpu, gpu, or one of several GPUs: gpu:1. auto: a GPU that can be used, "
           "else the CPU.");
  to.works(Group::machine, "threads", Kind::whole, stored<&Settings::machine, &M::threads>(),
           "Threads that compute; auto: the cores of the machine.")
      .at_least(1)
      .at_most(4096)
      .unset_by("auto");
  to.works(Group::machine, "memory_limit", Kind::bytes,
           stored<&Settings::machine, &M::memory_limit_bytes>(),
           "Most memory that a run may take, e.g. 8GiB; a bare number is MiB. Where the plan "
           "exceeds it, activations are recomputed and micro-steps made smaller.")
      .at_least(1);
  to.works(Group::machine, "micro_step_tokens", Kind::whole,
           stored<&Settings::machine, &M::micro_step_tokens>(),
           "Tokens computed together; auto: by kind of device.")
      .at_least(1)
      .unset_by("auto");
  to.works(Group::machine, "profile", Kind::boolean, stored<&Settings::machine, &M::profile>(),
           "Print where the time goes, op by op.");
}

}  // namespace hone::config
