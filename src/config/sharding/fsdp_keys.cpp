#include "config/sharding/fsdp_keys.h"

namespace hone::config {
namespace {

using enum KeyType;
using enum KeyUse;

constexpr const char* kUnits = "gradients and weights move one block of the model at a time";
constexpr const char* kAhead = "the next block is fetched while one computes, always";
constexpr const char* kLoading = "each rank reads its own weights from the model's files";
constexpr const char* kLaunch =
    "ranks are started by hone, torchrun, mpirun or Slurm; accelerate "
    "is not there";
constexpr const char* kTpu = "there are no TPUs here";

constexpr OptionKey kKeys[] = {
    {"fsdp_config", object, obeyed, "the block"},
    {"fsdp_config.sharding_strategy", anything, obeyed,
     "FULL_SHARD (1): stage 3; SHARD_GRAD_OP (2): stage 2; NO_SHARD (3): stage 0; HYBRID_SHARD (4) "
     "and _HYBRID_SHARD_ZERO2 (5): stages 3 and 2, over all ranks"},
    {"fsdp_config.version", whole, obeyed, "1 or 2; with 2 reshard_after_forward decides"},
    {"fsdp_config.reshard_after_forward", anything, obeyed,
     "true: stage 3; false: stage 2; or a sharding strategy"},
    {"fsdp_config.offload_params", boolean, obeyed,
     "weights and optimizer state lie in the host's memory"},
    {"fsdp_config.cpu_offload", boolean, obeyed, "the same"},
    {"fsdp_config.state_dict_type", text, obeyed,
     "FULL_STATE_DICT: the ordinary model folder is written; SHARDED_STATE_DICT and "
     "LOCAL_STATE_DICT: see below"},
    {"fsdp_config.auto_wrap_policy", text, idle, kUnits},
    {"fsdp_config.transformer_layer_cls_to_wrap", anything, idle, kUnits},
    {"fsdp_config.min_num_params", number, idle, kUnits},
    {"fsdp_config.backward_prefetch", text, idle, kAhead},
    {"fsdp_config.backward_prefetch_policy", text, idle, kAhead},
    {"fsdp_config.forward_prefetch", boolean, idle, kAhead},
    {"fsdp_config.limit_all_gathers", boolean, idle, "two blocks are whole at one moment"},
    {"fsdp_config.use_orig_params", boolean, idle, "parameters keep their names and shapes"},
    {"fsdp_config.sync_module_states", boolean, idle, kLoading},
    {"fsdp_config.cpu_ram_efficient_loading", boolean, idle, kLoading},
    {"fsdp_config.activation_checkpointing", boolean, idle,
     "the memory plan decides what is recomputed; see memory_limit"},
    {"fsdp_config.mixed_precision_policy", anything, idle, "bf16 says how numbers are held"},
    {"fsdp_config.xla", boolean, refused, "TPUs; leave it out", "false"},
    {"fsdp_config.xla_fsdp_v2", boolean, idle, kTpu},
    {"fsdp_config.xla_fsdp_settings", anything, idle, kTpu},
    {"fsdp_config.xla_fsdp_grad_ckpt", boolean, idle, kTpu},

    {"distributed_type", text, obeyed,
     "FSDP; MULTI_GPU, MULTI_CPU and NO share nothing out; others are refused"},
    {"mixed_precision", text, compared, "`bf16`"},
    {"deepspeed_config", object, refused,
     "DeepSpeed inside accelerate's file; give DeepSpeed's JSON to the setting deepspeed"},
    {"megatron_lm_config", object, refused, "Megatron, which is not here; leave it out"},
    {"parallelism_config", object, refused,
     "ranks in several groups, which is not in this version; leave it out"},
    {"num_processes", whole, idle, kLaunch},
    {"num_machines", whole, idle, kLaunch},
    {"machine_rank", whole, idle, kLaunch},
    {"main_process_ip", text, idle, kLaunch},
    {"main_process_port", anything, idle, kLaunch},
    {"main_training_function", text, idle, kLaunch},
    {"rdzv_backend", text, idle, kLaunch},
    {"same_network", boolean, idle, kLaunch},
    {"compute_environment", text, idle, kLaunch},
    {"gpu_ids", anything, idle, kLaunch},
    {"debug", boolean, idle, kLaunch},
    {"use_cpu", boolean, idle, "the setting use_cpu says so"},
    {"enable_cpu_affinity", boolean, idle, "`threads` says what computes"},
    {"downcast_bf16", anything, idle, kTpu},
    {"tpu_env", anything, idle, kTpu},
    {"tpu_use_cluster", boolean, idle, kTpu},
    {"tpu_use_sudo", boolean, idle, kTpu},
    {"dynamo_config", anything, idle, "hone's kernels are compiled already"},
    {"dynamo_backend", text, idle, "hone's kernels are compiled already"},
    {"mpirun_config", anything, idle, kLaunch},
};

}  // namespace

std::span<const OptionKey> fsdp_keys() {
  return kKeys;
}

}  // namespace hone::config
