// DeepSpeed's configurations: what they ask for, where they contradict the settings, and what is
// wrong with them.
#include <gtest/gtest.h>

#include <fstream>

#include "config/sharding/deepspeed_keys.h"
#include "config/sharding/fsdp_keys.h"
#include "unit/config/golden_text.h"
#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::least;
using testing::Outcome;
using testing::read;
using testing::TemporaryFolder;

// A run whose deepspeed file holds `json`; `lines` follow line 4.
Outcome with_file(const std::string& json, const std::string& lines = "", int ranks = 1,
                  Command command = Command::train) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "ds.json") << json;
  std::ofstream(folder.path() + "run.yaml")
      << least() << "deepspeed: " << folder.path() << "ds.json\n"
      << lines;
  Request request;
  request.command = command;
  request.words = {folder.path() + "run.yaml"};
  request.ranks = ranks;
  return read(request, folder.path());
}

Outcome zero(const std::string& members, const std::string& lines = "") {
  return with_file("{\"zero_optimization\": {" + members + "}}", lines);
}

// The JSON of a published guide, its slip of spelling included.
constexpr const char* kGuide = R"({
  "zero_optimization": {
    "stage": 3,
    "offload_optimizer": {
      "device": "none",
      "pin_memory": true
    },
    "offload_param": {
      "device": "none",
      "pin_memory": true
    },
    "overlap_comm": true,
    "contiguous_gradients": true,
    "sub_group_size": 1e9,
    "reduce_bucket_size": "auto",
    "stage3_prefetch_bucket_size": "auto",
    "stage3_param_persistence_threshold": "auto",
    "stage3_max_live_parameters": 1e9,
    "stage3_parition_grads": true,
    "stage3_gather_16bit_weights_on_model_save": true
  },
  "bf16": {
    "enabled": true
  },
  "gradient_clipping": 1.0,
  "train_batch_size": "auto",
  "train_micro_batch_size_per_gpu": "auto"
})";

TEST(DeepSpeed, ReadsTheGuidesFile) {
  const Outcome outcome = with_file(kGuide,
                                    "compute_type: bf16\nper_device_train_batch_size: 1\n"
                                    "gradient_accumulation_steps: 4\n",
                                    8);
  EXPECT_EQ(outcome.fault_text, "");
  const ZeroOptions& zero = outcome.result.settings.zero;
  EXPECT_EQ(zero.stage, ZeroStage::parameters);
  EXPECT_EQ(zero.optimizer, Offload());
  EXPECT_EQ(zero.parameters, Offload());
  EXPECT_TRUE(zero.gather_weights_on_save);
  EXPECT_EQ(outcome.notices(),
            "compute_type: bf16 is read as bf16: true\n"
            "ds.json: zero_optimization.stage3_parition_grads is read as stage3_partition_grads, "
            "which is how it is spelt\n"
            "ds.json: these keys change nothing here, docs/deepspeed.md says why: "
            "zero_optimization.offload_optimizer.pin_memory, "
            "zero_optimization.offload_param.pin_memory, "
            "zero_optimization.overlap_comm, zero_optimization.contiguous_gradients, "
            "zero_optimization.sub_group_size, zero_optimization.reduce_bucket_size, "
            "zero_optimization.stage3_prefetch_bucket_size, "
            "zero_optimization.stage3_param_persistence_threshold, "
            "zero_optimization.stage3_max_live_parameters, "
            "zero_optimization.stage3_partition_grads\n"
            "deepspeed: 'ds.json' (run.yaml, line 4): ZeRO stage 3 over 8 ranks: optimizer state, "
            "gradients and weights are shared out\n");
}

TEST(DeepSpeed, OurOwnFilesAreReadWithoutAWord) {
  struct Own {
    const char* file;
    ZeroStage stage;
    OffloadTo optimizer;
    OffloadTo parameters;
  };
  for (const Own& own :
       {Own{"ds_z0_config", ZeroStage::replicated, OffloadTo::device, OffloadTo::device},
        Own{"ds_z1_config", ZeroStage::optimizer_state, OffloadTo::device, OffloadTo::device},
        Own{"ds_z2_config", ZeroStage::gradients, OffloadTo::device, OffloadTo::device},
        Own{"ds_z2_offload_config", ZeroStage::gradients, OffloadTo::host, OffloadTo::device},
        Own{"ds_z3_config", ZeroStage::parameters, OffloadTo::device, OffloadTo::device},
        Own{"ds_z3_fp8_config", ZeroStage::parameters, OffloadTo::host, OffloadTo::device},
        Own{"ds_z3_offload_config", ZeroStage::parameters, OffloadTo::host, OffloadTo::host}}) {
    SCOPED_TRACE(own.file);
    const std::string path =
        std::string(HONE_SOURCE_ROOT "/examples/deepspeed/") + own.file + ".json";
    const Outcome outcome = testing::train("deepspeed: " + path + "\nbf16: true\n");
    EXPECT_EQ(outcome.fault_text, "");
    const bool offloads = own.optimizer == OffloadTo::host;
    EXPECT_EQ(outcome.result.notices.size(), offloads ? 2U : 1U) << outcome.notices();
    EXPECT_EQ(outcome.result.settings.zero.stage, own.stage);
    EXPECT_EQ(outcome.result.settings.zero.optimizer.to, own.optimizer);
    EXPECT_EQ(outcome.result.settings.zero.parameters.to, own.parameters);
  }
}

TEST(DeepSpeed, OurFileOfCutMatricesIsRefusedInWords) {
  const std::string path = HONE_SOURCE_ROOT "/examples/deepspeed/ds_z2_autotp_config.json";
  const Outcome outcome = testing::train("deepspeed: " + path + "\n");
  ASSERT_EQ(outcome.faults.size(), 1U) << outcome.fault_text;
  EXPECT_EQ(outcome.faults[0].found, "matrices cut between ranks, which is not in this version");
}

// The blocks that stand in all of LLaMA-Factory's example files.
constexpr const char* kCommon =
    R"("train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto",
       "gradient_accumulation_steps": "auto", "gradient_clipping": "auto",
       "zero_allow_untested_optimizer": true,
       "fp16": {"enabled": "auto", "loss_scale": 0, "loss_scale_window": 1000,
                "initial_scale_power": 16, "hysteresis": 2, "min_loss_scale": 1},
       "bf16": {"enabled": "auto"}, )";

std::string example(const std::string& zero) {
  return std::string("{") + kCommon + "\"zero_optimization\": {" + zero + "}}";
}

constexpr const char* kStage02 =
    R"("allgather_partitions": true, "allgather_bucket_size": 5e8, "overlap_comm": false,
       "reduce_scatter": true, "reduce_bucket_size": 5e8, "contiguous_gradients": true,
       "round_robin_gradients": true)";
constexpr const char* kStage3 =
    R"("stage": 3, "overlap_comm": false, "contiguous_gradients": true, "sub_group_size": 1e9,
       "reduce_bucket_size": "auto", "stage3_prefetch_bucket_size": "auto",
       "stage3_param_persistence_threshold": "auto", "stage3_max_live_parameters": 1e9,
       "stage3_max_reuse_distance": 1e9, "stage3_gather_16bit_weights_on_model_save": true)";
constexpr const char* kToHost = R"({"device": "cpu", "pin_memory": true})";

TEST(DeepSpeed, ReadsLlamaFactorysExamples) {
  const std::string offloaded = std::string(", \"offload_optimizer\": ") + kToHost;
  struct Example {
    std::string zero;
    ZeroStage stage;
    OffloadTo optimizer;
    OffloadTo parameters;
  };
  for (const Example& each :
       {Example{std::string("\"stage\": 0, ") + kStage02, ZeroStage::replicated, OffloadTo::device,
                OffloadTo::device},
        Example{std::string("\"stage\": 2, ") + kStage02, ZeroStage::gradients, OffloadTo::device,
                OffloadTo::device},
        Example{std::string("\"stage\": 2, ") + kStage02 + offloaded, ZeroStage::gradients,
                OffloadTo::host, OffloadTo::device},
        Example{kStage3, ZeroStage::parameters, OffloadTo::device, OffloadTo::device},
        Example{kStage3 + offloaded + ", \"offload_param\": " + kToHost, ZeroStage::parameters,
                OffloadTo::host, OffloadTo::host}}) {
    SCOPED_TRACE(each.zero);
    const Outcome outcome = with_file(example(each.zero), "bf16: true\n");
    EXPECT_EQ(outcome.fault_text, "");
    EXPECT_EQ(outcome.result.settings.zero.stage, each.stage);
    EXPECT_EQ(outcome.result.settings.zero.optimizer.to, each.optimizer);
    EXPECT_EQ(outcome.notices().find("offload_optimizer.pin_memory") != std::string::npos,
              each.optimizer == OffloadTo::host);
    EXPECT_EQ(outcome.result.settings.zero.parameters.to, each.parameters);
  }
}

TEST(DeepSpeed, RefusesWhatTheLastTwoExamplesAskFor) {
  EXPECT_EQ(with_file(R"({"_comment": "x", "tensor_parallel": {"autotp_size": 2},
                          "zero_optimization": {"stage": 2}})")
                .fault_text,
            "tensor_parallel.autotp_size: 2 (ds.json)\n"
            "  found: matrices cut between ranks, which is not in this version\n"
            "  to do: write 1, and use stage 3\n");
  EXPECT_EQ(with_file(R"({"fp8": {"enabled": true, "hysteresis": 2}, "steps_per_print": 1e7,
                          "zero_force_ds_cpu_optimizer": true})")
                .fault_text,
            "fp8: {...} (ds.json)\n"
            "  found: fp8, which is not in this version of hone\n"
            "  to do: use bf16\n");
  EXPECT_EQ(
      with_file(R"({"fp8": {"enabled": false}, "tensor_parallel": {"autotp_size": 1}})").fault_text,
      "");
}

TEST(DeepSpeed, ListsAllContradictionsAtOnce) {
  const Outcome outcome = with_file(
      R"({"train_batch_size": 64, "train_micro_batch_size_per_gpu": 2,
          "gradient_accumulation_steps": 8, "gradient_clipping": 0.5, "bf16": {"enabled": true},
          "optimizer": {"type": "AdamW", "params": {"lr": 3e-5, "betas": [0.8, 0.999],
                        "eps": 1e-6, "weight_decay": 0.1}},
          "scheduler": {"type": "WarmupDecayLR", "params": {"warmup_type": "linear",
                        "warmup_min_lr": 0, "warmup_max_lr": 3e-5, "warmup_num_steps": 10,
                        "total_num_steps": 100}}})",
      "per_device_train_batch_size: 1\ngradient_accumulation_steps: 4\nmax_steps: 50\n", 8);
  EXPECT_EQ(outcome.fault_text,
            "train_micro_batch_size_per_gpu: 2 (ds.json)\n"
            "  found: per_device_train_batch_size: '1' (run.yaml, line 5) says otherwise\n"
            "  to do: write \"auto\" in ds.json, or the same value in both\n"
            "gradient_accumulation_steps: 8 (ds.json)\n"
            "  found: gradient_accumulation_steps: '4' (run.yaml, line 6) says otherwise\n"
            "  to do: write \"auto\" in ds.json, or the same value in both\n"
            "gradient_clipping: 0.5 (ds.json)\n"
            "  found: max_grad_norm: '1' (default) says otherwise\n"
            "  to do: write \"auto\" in ds.json, or the same value in both\n"
            "train_batch_size: 64 (ds.json)\n"
            "  found: 32: 8 ranks x per_device_train_batch_size 1 x gradient_accumulation_steps 4\n"
            "  to do: write \"auto\" in ds.json, or the same value in both\n"
            "bf16.enabled: true (ds.json)\n"
            "  found: bf16: 'false' (default) says otherwise\n"
            "  to do: write \"auto\" in ds.json, or the same value in both\n"
            "optimizer.params.lr: 3e-05 (ds.json)\n"
            "  found: learning_rate: '5e-05' (default) says otherwise\n"
            "  to do: write \"auto\" in ds.json, or the same value in both\n"
            "optimizer.params.eps: 1e-06 (ds.json)\n"
            "  found: adam_epsilon: '1e-08' (default) says otherwise\n"
            "  to do: write \"auto\" in ds.json, or the same value in both\n"
            "optimizer.params.weight_decay: 0.1 (ds.json)\n"
            "  found: weight_decay: '0' (default) says otherwise\n"
            "  to do: write \"auto\" in ds.json, or the same value in both\n"
            "optimizer.params.betas: [0.8, 0.999] (ds.json)\n"
            "  found: adam_beta1: '0.9' (default) says otherwise\n"
            "  to do: write \"auto\" in ds.json, or the same value in both\n"
            "scheduler.params.warmup_max_lr: 3e-05 (ds.json)\n"
            "  found: learning_rate: '5e-05' (default) says otherwise\n"
            "  to do: write \"auto\" in ds.json, or the same value in both\n"
            "scheduler.params.total_num_steps: 100 (ds.json)\n"
            "  found: max_steps: '50' (run.yaml, line 7) says otherwise\n"
            "  to do: write \"auto\" in ds.json, or the same value in both\n"
            "scheduler.params.warmup_num_steps: 10 (ds.json)\n"
            "  found: warmup_steps: '0' (default) says otherwise\n"
            "  to do: write \"auto\" in ds.json, or the same value in both\n");
}

TEST(DeepSpeed, AgreesWithEqualValuesHoweverTheyAreWritten) {
  const Outcome outcome = with_file(
      R"({"train_batch_size": 32.0, "train_micro_batch_size_per_gpu": 1,
          "gradient_accumulation_steps": 4, "gradient_clipping": 1, "bf16": {"enabled": true},
          "optimizer": {"type": "Adam", "params": {"lr": 0.00001, "betas": "auto",
                        "eps": "auto", "weight_decay": "auto", "adam_w_mode": true}},
          "scheduler": {"type": "WarmupLR", "params": {"warmup_type": "linear",
                        "warmup_min_lr": "auto", "warmup_max_lr": "auto",
                        "warmup_num_steps": "auto"}}})",
      "per_device_train_batch_size: 1\ngradient_accumulation_steps: 4\npure_bf16: true\n"
      "learning_rate: 1.0e-5\nlr_scheduler_type: constant_with_warmup\nwarmup_ratio: 0.1\n",
      8);
  EXPECT_EQ(outcome.fault_text, "");
}

TEST(DeepSpeed, ComparesNothingWithASettingThatIsWrongItself) {
  const Outcome outcome = with_file(R"({"gradient_clipping": 0.5})", "max_grad_norm: much\n");
  ASSERT_EQ(outcome.faults.size(), 1U) << outcome.fault_text;
  EXPECT_EQ(outcome.faults[0].found, "not a number");
}

TEST(DeepSpeed, RefusesOtherOptimizersAndSchedules) {
  const Outcome outcome = with_file(
      R"({"optimizer": {"type": "Lamb"}, "scheduler": {"type": "OneCycle"},
          "fp16": {"enabled": true}})");
  EXPECT_EQ(outcome.fault_text,
            "fp16.enabled: true (ds.json)\n"
            "  found: fp16, which is not computed on CPUs and overflows easily elsewhere\n"
            "  to do: write \"auto\" or false in ds.json, and set bf16: true\n"
            "optimizer.type: \"Lamb\" (ds.json)\n"
            "  found: an optimizer that is not in this version\n"
            "  to do: remove the block optimizer from ds.json, and set optim\n"
            "scheduler.type: \"OneCycle\" (ds.json)\n"
            "  found: a schedule that is not in this version\n"
            "  to do: remove the block scheduler from ds.json, and set lr_scheduler_type\n");
  const Outcome warm_up = with_file(
      R"({"optimizer": {"type": "AdamW", "params": {"betas": [0.9], "adam_w_mode": false}},
          "scheduler": {"type": "WarmupLR", "params": {"warmup_min_lr": 1e-6,
                        "warmup_num_steps": 10}}})",
      "warmup_ratio: 0.1\n");
  EXPECT_EQ(warm_up.fault_text,
            "optimizer.params.adam_w_mode: false (ds.json)\n"
            "  found: Adam with the decay inside the gradient, which is not in this version\n"
            "  to do: write true\n"
            "optimizer.params.betas: [0.9] (ds.json)\n"
            "  found: not two numbers\n"
            "  to do: write two numbers, such as [0.9, 0.999], or \"auto\"\n"
            "scheduler.type: \"WarmupLR\" (ds.json)\n"
            "  found: lr_scheduler_type: 'linear' (default) says otherwise\n"
            "  to do: remove the block scheduler from ds.json, or set lr_scheduler_type: "
            "constant_with_warmup\n"
            "scheduler.params.warmup_type: not given (ds.json)\n"
            "  found: a warm-up that rises with the logarithm of the step, DeepSpeed's default\n"
            "  to do: write \"warmup_type\": \"linear\", or remove the block scheduler from "
            "ds.json, and set lr_scheduler_type\n"
            "scheduler.params.warmup_min_lr: 1e-06 (ds.json)\n"
            "  found: a warm-up that does not begin at 0\n"
            "  to do: write 0 or \"auto\"\n"
            "scheduler.params.warmup_num_steps: 10 (ds.json)\n"
            "  found: a number of steps, where the settings leave it to the data\n"
            "  to do: write \"auto\", or set warmup_steps\n");
}

TEST(DeepSpeed, UnderstandsSlipsOfAnyKnownKey) {
  const Outcome outcome = with_file(
      R"({"zero_optimisation": {"stage": 3, "offload_optimiser": {"devise": "cpu"}},
          "gradient_cliping": 1.0})");
  EXPECT_EQ(outcome.fault_text, "");
  EXPECT_EQ(outcome.result.settings.zero.stage, ZeroStage::parameters);
  EXPECT_EQ(outcome.result.settings.zero.optimizer.to, OffloadTo::host);
  EXPECT_NE(outcome.notices().find("ds.json: gradient_cliping is read as gradient_clipping, which "
                                   "is how it is spelt\n"),
            std::string::npos);
}

TEST(DeepSpeed, NamesUnknownKeys) {
  const char* json = R"({"zero_optimization": {"stage": 2, "colour": 1}, "marvellous": {},
                         "_comment": "is none", "comment": 1, "//": "nor this"})";
  EXPECT_EQ(with_file(json).fault_text,
            "zero_optimization.colour (ds.json)\n"
            "  found: zero_optimization has no option of this name\n"
            "  to do: remove it; docs/deepspeed.md lists the keys that are known\n"
            "marvellous (ds.json)\n"
            "  found: no option has this name\n"
            "  to do: remove it; docs/deepspeed.md lists the keys that are known\n");
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "ds.json") << json;
  std::ofstream(folder.path() + "run.yaml")
      << least() << "deepspeed: " << folder.path() << "ds.json\n";
  Request request{Command::train, {folder.path() + "run.yaml"}, "", true};
  const Outcome allowed = read(request, folder.path());
  EXPECT_EQ(allowed.fault_text, "");
  EXPECT_NE(allowed.notices().find("ds.json: marvellous is not known; it is ignored"),
            std::string::npos);
}

TEST(DeepSpeed, NamesWrongTypes) {
  EXPECT_EQ(with_file(R"({"zero_optimization": {"stage": "three", "overlap_comm": 1,
                          "offload_optimizer": "cpu", "sub_group_size": "auto",
                          "allgather_partitions": "yes"},
                          "gradient_clipping": true, "train_batch_size": 1.5,
                          "gradient_accumulation_steps": "auto", "bf16": true,
                          "wall_clock_breakdown": "auto"})")
                .fault_text,
            "zero_optimization.stage: \"three\" (ds.json)\n"
            "  found: a string\n"
            "  to do: write a whole number\n"
            "zero_optimization.overlap_comm: 1 (ds.json)\n"
            "  found: a whole number\n"
            "  to do: write true or false\n"
            "zero_optimization.offload_optimizer: \"cpu\" (ds.json)\n"
            "  found: a string\n"
            "  to do: write an object, {...}\n"
            "zero_optimization.allgather_partitions: \"yes\" (ds.json)\n"
            "  found: a string\n"
            "  to do: write true or false\n"
            "gradient_clipping: true (ds.json)\n"
            "  found: a boolean\n"
            "  to do: write a number, or \"auto\"\n"
            "train_batch_size: 1.5 (ds.json)\n"
            "  found: a number\n"
            "  to do: write a whole number, or \"auto\"\n"
            "bf16: true (ds.json)\n"
            "  found: a boolean\n"
            "  to do: write an object, {...}\n");
  EXPECT_EQ(zero(R"("stage": "auto")").fault_text,
            "zero_optimization.stage: \"auto\" (ds.json)\n"
            "  found: \"auto\" where no setting says what it is\n"
            "  to do: write a whole number, or leave it out\n");
}

TEST(DeepSpeed, SaysWhatIsWrongWithTheFile) {
  EXPECT_EQ(with_file("[1]").fault_text,
            "ds.json\n  found: a list instead of options\n"
            "  to do: write one object, {\"key\": value, ...}\n");
  const Outcome broken = with_file("{\"zero_optimization\": {\"stage\": 3,}}");
  ASSERT_EQ(broken.faults.size(), 1U);
  EXPECT_NE(broken.fault_text.find("ds.json"), std::string::npos) << broken.fault_text;
  EXPECT_NE(broken.fault_text.find("line 1"), std::string::npos) << broken.fault_text;
  EXPECT_EQ(with_file("").faults.size(), 1U);
  const Outcome absent = testing::train("deepspeed: /nowhere/ds_z3.json\n");
  EXPECT_EQ(absent.fault_text,
            "deepspeed: '/nowhere/ds_z3.json' (base.yaml, line 4)\n"
            "  found: no such file: /nowhere/ds_z3.json\n"
            "  to do: write the path of a file, from where hone is started; hone's own lie in "
            "examples/deepspeed\n");
}

TEST(DeepSpeed, IsAMapInTheConfigurationToo) {
  for (const std::string& lines :
       {std::string("deepspeed: {\"zero_optimization\": {\"stage\": 2}}\n"),
        std::string(
            "deepspeed:\n  zero_optimization:\n    stage: 2\n    reduce_bucket_size: 5e8\n"),
        std::string("deepspeed: '{\"zero_optimization\": {\"stage\": 2}}'\n")}) {
    SCOPED_TRACE(lines);
    const Outcome outcome = testing::train(lines);
    EXPECT_EQ(outcome.fault_text, "");
    EXPECT_EQ(outcome.result.settings.zero.stage, ZeroStage::gradients);
  }
  const Outcome option =
      testing::train("", {"--deepspeed", "{\"zero_optimization\":{\"stage\":7}}"});
  EXPECT_EQ(option.fault_text,
            "zero_optimization.stage: 7 (deepspeed, command line)\n"
            "  found: no such stage\n"
            "  to do: write 0, 1, 2 or 3\n");
}

TEST(DeepSpeed, OffloadsWhereTheStageAllowsIt) {
  EXPECT_EQ(zero(R"("stage": 0, "offload_optimizer": {"device": "cpu"})").fault_text,
            "zero_optimization.offload_optimizer: {...} (ds.json)\n"
            "  found: optimizer state elsewhere, at stage 0\n"
            "  to do: write \"stage\": 1, 2 or 3, or \"device\": \"none\"\n");
  EXPECT_EQ(zero(R"("stage": 2, "offload_param": {"device": "cpu"})").fault_text,
            "zero_optimization.offload_param: {...} (ds.json)\n"
            "  found: weights elsewhere, at stage 2\n"
            "  to do: write \"stage\": 3, or \"device\": \"none\"\n");
  EXPECT_EQ(zero(R"("stage": 2, "offload_optimizer": {"device": "nvme"})").fault_text,
            "zero_optimization.offload_optimizer.device: \"nvme\" (ds.json)\n"
            "  found: nvme, without the folder for it\n"
            "  to do: write zero_optimization.offload_optimizer.nvme_path, a folder on a fast "
            "local disk\n");
  EXPECT_EQ(zero(R"("stage": 2, "offload_optimizer": {"device": "gpu", "ratio": 0.5})").fault_text,
            "zero_optimization.offload_optimizer.ratio: 0.5 (ds.json)\n"
            "  found: a part of the optimizer's state in the host's memory\n"
            "  to do: write 1.0, or leave it out\n"
            "zero_optimization.offload_optimizer.device: \"gpu\" (ds.json)\n"
            "  found: none of its choices\n"
            "  to do: write none, cpu or nvme\n");
  const ZeroOptions disk =
      zero(R"("stage": 3, "offload_optimizer": {"device": "nvme", "nvme_path": "/fast"},
              "offload_param": {"device": "none", "pin_memory": true},
              "stage3_gather_16bit_weights_on_model_save": false)")
          .result.settings.zero;
  EXPECT_EQ(disk.optimizer, (Offload{OffloadTo::disk, "/fast"}));
  EXPECT_EQ(disk.parameters, Offload());
  EXPECT_FALSE(disk.gather_weights_on_save);
  const ZeroOptions old = zero(R"("stage": 3, "cpu_offload": true, "cpu_offload_params": true,
                                  "stage3_gather_fp16_weights_on_model_save": false)")
                              .result.settings.zero;
  EXPECT_EQ(old.optimizer.to, OffloadTo::host);
  EXPECT_EQ(old.parameters.to, OffloadTo::host);
  EXPECT_FALSE(old.gather_weights_on_save);
}

TEST(DeepSpeed, SaysThatTheHostIsWhereRanksAre) {
  EXPECT_NE(zero(R"("stage": 2, "offload_optimizer": {"device": "cpu"})")
                .notices()
                .find("deepspeed: 'ds.json' (run.yaml, line 4): offload to cpu changes nothing, as "
                      "the ranks compute there: their memory is the host's\n"),
            std::string::npos);
}

TEST(DeepSpeed, SaysWhatTheShardsAloneWouldBe) {
  EXPECT_NE(zero(R"("stage": 3, "stage3_gather_16bit_weights_on_model_save": false)")
                .notices()
                .find("the ranks' shards alone were asked for; the ordinary model folder is "
                      "written all the same\n"),
            std::string::npos);
}

TEST(DeepSpeed, OnOneRankHasNobodyToShareWith) {
  EXPECT_EQ(zero(R"("stage": 3)").notices(),
            "deepspeed: 'ds.json' (run.yaml, line 4): ZeRO stage 3 on one rank: there is nobody to "
            "share with, so that it trains as without it\n");
  EXPECT_EQ(zero(R"("stage": 0)").notices(),
            "deepspeed: 'ds.json' (run.yaml, line 4): ZeRO stage 0: nothing is shared out\n");
}

// The page's tables are the tables of the code.
TEST(DeepSpeed, ThePageHasEveryKey) {
  const std::string file = HONE_SOURCE_ROOT "/docs/deepspeed.md";
  std::ifstream stream(file, std::ios::binary);
  std::string page((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  struct Table {
    const char* heading;
    std::span<const OptionKey> keys;
  };
  for (const Table& table :
       {Table{"## Keys of DeepSpeed's files\n", deepspeed_keys()},
        Table{"## Keys of fsdp_config and accelerate's files\n", fsdp_keys()}}) {
    const std::size_t heading = page.find(table.heading);
    ASSERT_NE(heading, std::string::npos) << table.heading;
    const std::size_t begin = heading + std::string(table.heading).size();
    const std::size_t end = std::min(page.find("\n## ", begin), page.size());
    page.replace(begin, end - begin, "\n" + keys_page(table.keys));
  }
  testing::expect_kept_text(page, file);
}

}  // namespace
}  // namespace hone::config
