#include "config/settings/storage.h"

namespace hone::config {

void declare_sharding(Declarations& to) {
  using S = ShardingSettings;
  to.works(Group::training, "deepspeed", Kind::mapping,
           stored<&Settings::sharding, &S::deepspeed>(),
           "DeepSpeed's configuration: how optimizer state, gradients and weights are shared out "
           "between ranks (docs/deepspeed.md).");
  to.works(Group::training, "fsdp", Kind::text, stored<&Settings::sharding, &S::fsdp>(),
           "The same in PyTorch's words, e.g. full_shard auto_wrap (docs/deepspeed.md).");
  to.works(Group::training, "fsdp_config", Kind::mapping,
           stored<&Settings::sharding, &S::fsdp_config>(),
           "Settings of fsdp; accelerate's YAML is read as well.");
}

}  // namespace hone::config
