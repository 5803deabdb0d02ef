#include "config/settings/storage.h"

namespace hone::config {

void declare_planning(Declarations& to) {
  using P = PlanningSettings;
  to.works(Group::planning, "devices", Kind::text, stored<&Settings::planning, &P::devices>(),
           "Machines to plan for, e.g. 8xMI300X, 4x7900XTX, 2x8xMI300X (two machines), "
           "8xgfx942:192GiB, 8x80GiB. The model's config.json is enough then.");
  to.works(Group::planning, "zero_stage", Kind::whole,
           stored<&Settings::planning, &P::zero_stage>(),
           "ZeRO's stage in place of the one that deepspeed or fsdp give.")
      .at_least(0)
      .at_most(3);
  to.works(Group::planning, "offload", Kind::list, stored<&Settings::planning, &P::offload>(),
           "What lies in the host's memory with zero_stage: optimizer, parameters.");
}

}  // namespace hone::config
