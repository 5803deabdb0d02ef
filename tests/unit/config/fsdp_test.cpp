// PyTorch's sharding in the words of transformers and of accelerate.
#include <gtest/gtest.h>

#include <fstream>

#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::least;
using testing::Outcome;
using testing::train;

ZeroStage stage_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.fault_text, "");
  return outcome.result.settings.zero.stage;
}

TEST(Fsdp, WordsAreStages) {
  EXPECT_EQ(stage_of(train("fsdp: full_shard auto_wrap\n")), ZeroStage::parameters);
  EXPECT_EQ(stage_of(train("fsdp: \"shard_grad_op\"\n")), ZeroStage::gradients);
  EXPECT_EQ(stage_of(train("fsdp: no_shard\n")), ZeroStage::replicated);
  EXPECT_EQ(stage_of(train("fsdp: hybrid_shard,auto_wrap\n")), ZeroStage::parameters);
  EXPECT_EQ(stage_of(train("fsdp: true\n")), ZeroStage::parameters);
  EXPECT_TRUE(train("fsdp: \"\"\n").result.settings.zero.source.empty());
  EXPECT_TRUE(train("fsdp: false\n").result.settings.zero.source.empty());
  const Outcome offloaded = train("fsdp: full_shard offload\n");
  EXPECT_EQ(offloaded.result.settings.zero.optimizer.to, OffloadTo::host);
  EXPECT_EQ(offloaded.result.settings.zero.parameters.to, OffloadTo::host);
}

TEST(Fsdp, RefusesWordsItDoesNotKnow) {
  EXPECT_EQ(train("fsdp: full_shrad 2\n").fault_text,
            "fsdp: 'full_shrad 2' (base.yaml, line 4)\n"
            "  found: 'full_shrad', which it does not know\n"
            "  to do: write full_shard, shard_grad_op, hybrid_shard, hybrid_shard_zero2 or "
            "no_shard, and beside it auto_wrap and offload\n"
            "fsdp: 'full_shrad 2' (base.yaml, line 4)\n"
            "  found: '2', which it does not know\n"
            "  to do: write full_shard, shard_grad_op, hybrid_shard, hybrid_shard_zero2 or "
            "no_shard, and beside it auto_wrap and offload\n");
  EXPECT_EQ(train("fsdp: shard_grad_op offload\n").fault_text,
            "fsdp: 'shard_grad_op offload' (base.yaml, line 4)\n"
            "  found: weights in the host's memory, where they are not shared out\n"
            "  to do: use full_shard with it, or leave the offload out\n");
}

TEST(Fsdp, OurOwnFilesAreReadWithoutAWord) {
  struct Own {
    const char* file;
    OffloadTo to;
  };
  for (const Own& own :
       {Own{"fsdp_config", OffloadTo::device}, Own{"fsdp_config_offload", OffloadTo::host},
        Own{"fsdp2_config", OffloadTo::device}}) {
    SCOPED_TRACE(own.file);
    const std::string path =
        std::string(HONE_SOURCE_ROOT "/examples/accelerate/") + own.file + ".yaml";
    const Outcome outcome = train("fsdp_config: " + path + "\nbf16: true\n");
    EXPECT_EQ(stage_of(outcome), ZeroStage::parameters);
    EXPECT_EQ(outcome.result.notices.size(), own.to == OffloadTo::host ? 2U : 1U)
        << outcome.notices();
    EXPECT_EQ(outcome.result.settings.zero.optimizer.to, own.to);
    EXPECT_EQ(outcome.result.settings.zero.parameters.to, own.to);
  }
}

TEST(Fsdp, ReadsItsSettings) {
  const Outcome outcome = train(
      "fsdp: full_shard auto_wrap\n"
      "fsdp_config:\n"
      "  fsdp_transformer_layer_cls_to_wrap: [LlamaDecoderLayer]\n"
      "  backward_prefetch: backward_pre\n"
      "  reshard_after_forward: false\n"
      "  version: 2\n"
      "  activation_checkpointing: true\n"
      "  state_dict_type: SHARDED_STATE_DICT\n");
  EXPECT_EQ(stage_of(outcome), ZeroStage::gradients);
  EXPECT_FALSE(outcome.result.settings.zero.gather_weights_on_save);
  EXPECT_EQ(outcome.notices(),
            "fsdp_config, base.yaml, line 5: these keys change nothing here, docs/deepspeed.md "
            "says why: fsdp_config.transformer_layer_cls_to_wrap, fsdp_config.backward_prefetch, "
            "fsdp_config.activation_checkpointing\n"
            "fsdp: 'full_shard auto_wrap' (base.yaml, line 4): ZeRO stage 2 on one rank: there is "
            "nobody to share with, so that it trains as without it\n");
}

TEST(Fsdp, SettingsAloneMeanNothing) {
  const Outcome outcome = train("fsdp_config: {backward_prefetch: backward_pre}\n");
  EXPECT_EQ(outcome.fault_text, "");
  EXPECT_TRUE(outcome.result.settings.zero.source.empty());
  EXPECT_NE(outcome.notices().find(
                "fsdp_config: '{...}' (base.yaml, line 4) has no effect: fsdp is not set\n"),
            std::string::npos);
}

// accelerate's example file of two processes, and what may change in it.
std::string accelerate(const std::string& strategy, const std::string& more = "") {
  return "compute_environment: LOCAL_MACHINE\ndebug: false\ndistributed_type: FSDP\n"
         "downcast_bf16: 'no'\nfsdp_config:\n"
         "  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\n"
         "  fsdp_backward_prefetch: BACKWARD_PRE\n  fsdp_forward_prefetch: false\n"
         "  fsdp_cpu_ram_efficient_loading: true\n  fsdp_sharding_strategy: " +
         strategy +
         "\n  fsdp_state_dict_type: FULL_STATE_DICT\n  fsdp_sync_module_states: true\n"
         "  fsdp_use_orig_params: true\n" +
         more +
         "machine_rank: 0\nmain_training_function: main\nmixed_precision: bf16\n"
         "num_machines: 1\nnum_processes: 2\nrdzv_backend: static\nsame_network: true\n"
         "tpu_env: []\ntpu_use_cluster: false\ntpu_use_sudo: false\nuse_cpu: false\n";
}

Outcome with_accelerate(const std::string& yaml, const std::string& lines = "bf16: true\n") {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.path() + "fsdp.yaml") << yaml;
  std::ofstream(folder.path() + "run.yaml")
      << least() << "fsdp_config: " << folder.path() << "fsdp.yaml\n"
      << lines;
  return testing::read({Command::train, {folder.path() + "run.yaml"}, ""}, folder.path());
}

TEST(Fsdp, ReadsAcceleratesFiles) {
  EXPECT_EQ(stage_of(with_accelerate(accelerate("FULL_SHARD"))), ZeroStage::parameters);
  EXPECT_EQ(stage_of(with_accelerate(accelerate("1"))), ZeroStage::parameters);
  EXPECT_EQ(stage_of(with_accelerate(accelerate("SHARD_GRAD_OP"))), ZeroStage::gradients);
  EXPECT_EQ(stage_of(with_accelerate(accelerate("NO_SHARD"))), ZeroStage::replicated);
  const Outcome offloaded =
      with_accelerate(accelerate("FULL_SHARD", "  fsdp_offload_params: true\n"));
  EXPECT_EQ(offloaded.fault_text, "");
  EXPECT_EQ(offloaded.result.settings.zero.parameters.to, OffloadTo::host);
  const Outcome version_2 = with_accelerate(
      "distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 2\n"
      "  fsdp_reshard_after_forward: true\nmixed_precision: bf16\n");
  EXPECT_EQ(stage_of(version_2), ZeroStage::parameters);
  EXPECT_TRUE(with_accelerate("distributed_type: MULTI_GPU\n").result.settings.zero.source.empty());
}

TEST(Fsdp, SaysWhatIsWrongWithAcceleratesFiles) {
  EXPECT_EQ(with_accelerate(accelerate("SOME_SHARD", "  fsdp_version: 3\n"), "").fault_text,
            "fsdp_config.version: 3 (fsdp.yaml)\n"
            "  found: no such version\n"
            "  to do: write 1 or 2\n"
            "fsdp_config.sharding_strategy: \"SOME_SHARD\" (fsdp.yaml)\n"
            "  found: no such strategy\n"
            "  to do: write FULL_SHARD, SHARD_GRAD_OP, HYBRID_SHARD or NO_SHARD\n"
            "mixed_precision: \"bf16\" (fsdp.yaml)\n"
            "  found: bf16: 'false' (default) says otherwise\n"
            "  to do: write the same in both\n");
  EXPECT_EQ(with_accelerate("distributed_type: DEEPSPEED\nmixed_precision: bf16\n").fault_text,
            "distributed_type: \"DEEPSPEED\" (fsdp.yaml)\n"
            "  found: another way to share out the model than FSDP\n"
            "  to do: give DeepSpeed's JSON to the setting deepspeed\n");
  EXPECT_EQ(with_accelerate("distributed_type: FSDP\nmixed_precision: fp16\n").fault_text,
            "mixed_precision: \"fp16\" (fsdp.yaml)\n"
            "  found: a type of numbers that is not in this version\n"
            "  to do: write bf16 or no, and set bf16 likewise\n");
  EXPECT_EQ(with_accelerate("distributed_type: FSDP\nfsdp_config:\n  fsdp_state_dict_type: X\n")
                .fault_text,
            "fsdp_config.state_dict_type: \"X\" (fsdp.yaml)\n"
            "  found: none of its choices\n"
            "  to do: write FULL_STATE_DICT or SHARDED_STATE_DICT\n");
}

TEST(Fsdp, AndDeepSpeedAreTwoWays) {
  EXPECT_EQ(train("deepspeed: {zero_optimization: {stage: 3}}\nfsdp: full_shard\n").fault_text,
            "deepspeed: '{...}' (base.yaml, line 4), fsdp: 'full_shard' (base.yaml, line 5)\n"
            "  found: two ways to share out the model\n"
            "  to do: keep one of the two\n");
}

}  // namespace
}  // namespace hone::config
