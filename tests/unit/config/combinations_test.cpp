#include <gtest/gtest.h>

#include "config/effective.h"
#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::Outcome;
using testing::read_text;
using testing::train;

TEST(Derived, AlphaIsTwiceTheRankUnlessGiven) {
  const auto alpha = [](const std::string& lines) {
    const Outcome outcome = train(lines);
    EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
    return outcome.result.settings.finetuning.lora_alpha;
  };
  EXPECT_EQ(alpha(""), 16);
  EXPECT_EQ(alpha("lora_rank: 4\n"), 8);
  EXPECT_EQ(alpha("lora_rank: 4\nlora_alpha: 0\n"), 8);
  EXPECT_EQ(alpha("lora_rank: 4\nlora_alpha: null\n"), 8);
  EXPECT_EQ(alpha("lora_rank: 4\nlora_alpha: 16\n"), 16);
  EXPECT_EQ(
      read_text(Command::chat, "model_name_or_path: m\n").result.settings.finetuning.lora_alpha,
      16);
}

TEST(Derived, EvaluationFollowsItsStrategy) {
  const TrainingSettings steps =
      train("eval_strategy: steps\nval_size: 0.1\nlogging_steps: 7\n").result.settings.training;
  EXPECT_TRUE(steps.do_eval);
  EXPECT_EQ(steps.eval_steps, 7);
  const TrainingSettings zero =
      train("eval_strategy: steps\nval_size: 2\nlogging_steps: 7\neval_steps: 0\n")
          .result.settings.training;
  EXPECT_EQ(zero.eval_steps, 7);
  EXPECT_FALSE(train("val_size: 0.1\n").result.settings.training.do_eval);
}

TEST(Derived, SeedsAndDevice) {
  EXPECT_EQ(train("seed: 7\n").result.settings.training.data_seed, 7);
  EXPECT_EQ(train("seed: 7\ndata_seed: 8\n").result.settings.training.data_seed, 8);
  EXPECT_EQ(train("use_cpu: true\n").result.settings.machine.device, "cpu");
  EXPECT_EQ(train("").result.settings.machine.device, "auto");
}

TEST(Derived, EvaluationWithoutTrainingNeedsNoTraining) {
  const Outcome outcome =
      read_text(Command::train,
                "model_name_or_path: m\neval_dataset: e\ndo_eval: true\nlearning_rate: 1\nseed: 7\n"
                "save_steps: 3\nmax_steps: 5\nnum_train_epochs: 2\n");
  EXPECT_EQ(outcome.fault_text, "");
  EXPECT_EQ(outcome.notices(),
            "nothing is trained, as do_train is not true; so these have no effect: learning_rate, "
            "max_steps, num_train_epochs, save_steps\n");
  EXPECT_EQ(outcome.result.origins.count("data_seed"), 0u);
  EXPECT_EQ(
      read_text(Command::plan, "model_name_or_path: m\neval_dataset: e\neval_strategy: epoch\n")
          .fault_text,
      "");
}

TEST(Seeds, AreTakenByChatWhereSomethingIsDrawn) {
  const auto chat = [](const std::string& lines) {
    return read_text(Command::chat, "model_name_or_path: m\n" + lines);
  };
  EXPECT_EQ(chat("seed: 7\n").fault_text, "");
  EXPECT_EQ(chat("seed: 7\n").notices(), "");
  EXPECT_EQ(chat("seed: 7\n").result.settings.training.seed, 7);
  EXPECT_EQ(chat("").result.origins.count("seed"), 0u);
  for (const char* greedy : {"do_sample: false\n", "temperature: 0\n"}) {
    EXPECT_EQ(chat("seed: 7\n" + std::string(greedy)).notices(),
              "seed: '7' (base.yaml, line 2) has no effect: nothing is drawn, the likeliest token "
              "is taken\n");
  }
  EXPECT_EQ(chat("seed: -1\n").faults.at(0).found, "a number out of range");
  EXPECT_EQ(read_text(Command::export_model, "model_name_or_path: m\nexport_dir: e\nseed: 7\n")
                .fault_text,
            "seed (base.yaml, line 3)\n"
            "  found: a setting of train, plan, chat, which export does not take\n"
            "  to do: remove it, or run `hone train`\n");
}

TEST(Derived, WarmUpIsOneAmount) {
  const auto steps_at = [](const std::string& lines, std::int64_t total) {
    const Outcome outcome = train(lines);
    EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
    return steps_of(outcome.result.settings.training.warmup_steps, total);
  };
  EXPECT_EQ(steps_at("", 30), 0);
  EXPECT_EQ(steps_at("warmup_ratio: 0.1\n", 30), 3);
  EXPECT_EQ(steps_at("warmup_ratio: 0.1\n", 31), 4);
  EXPECT_EQ(steps_at("warmup_ratio: 1\n", 31), 31);
  EXPECT_EQ(steps_at("warmup_ratio: 0\nwarmup_steps: 5\n", 31), 5);
  EXPECT_EQ(steps_at("warmup_steps: 0.1\n", 30), 3);
  EXPECT_EQ(steps_at("warmup_steps: 1\n", 30), 1);
}

TEST(Derived, PrecisionHasSeveralSpellings) {
  const auto type = [](const std::string& lines) {
    const Outcome outcome = train(lines);
    EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
    EXPECT_EQ(outcome.result.settings.training.bf16,
              outcome.result.settings.training.compute_type == ComputeType::bfloat16 &&
                  !outcome.result.settings.finetuning.pure_bf16);
    return outcome.result.settings.training.compute_type;
  };
  EXPECT_EQ(type(""), ComputeType::automatic);
  EXPECT_EQ(type("bf16: true\n"), ComputeType::bfloat16);
  EXPECT_EQ(type("pure_bf16: true\n"), ComputeType::bfloat16);
  for (const char* key : {"compute_type", "compute_dtype"}) {
    for (const char* written : {"bf16", "bfloat16"}) {
      EXPECT_EQ(type(std::string(key) + ": " + written + "\n"), ComputeType::bfloat16);
    }
    for (const char* written : {"fp32", "float32"}) {
      EXPECT_EQ(type(std::string(key) + ": " + written + "\n"), ComputeType::float32);
    }
  }
  EXPECT_EQ(type("compute_type: fp32\nbf16: false\n"), ComputeType::float32);
  EXPECT_EQ(train("compute_type: bfloat16\n").notices(),
            "compute_type: bfloat16 is read as bf16: true\n");
}

TEST(Notices, OneForEachSettingWithoutEffect) {
  EXPECT_EQ(train("ddp_timeout: 180000000\nflash_attn: fa2\nddp_backend: nccl\n").notices(),
            "flash_attn: fa2 (base.yaml, line 5) has no effect: attention is hone's own kernel, "
            "which never stores a T x T matrix\n"
            "ddp_backend: nccl (base.yaml, line 6) has no effect: ranks are started and "
            "connected by the environment (docs/many-devices.md)\n");
  EXPECT_EQ(train("").notices(), "");
}

struct IdleCase {
  const char* lines;
  const char* notice;
};

class Idle : public ::testing::TestWithParam<IdleCase> {};

TEST_P(Idle, SettingsWithoutASayAreNamed) {
  const Outcome outcome = train(GetParam().lines);
  EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
  EXPECT_EQ(outcome.notices(), GetParam().notice);
}

INSTANTIATE_TEST_SUITE_P(
    All, Idle,
    ::testing::Values(
        IdleCase{"finetuning_type: full\nlora_rank: 8\n",
                 "lora_rank: '8' (base.yaml, line 5) has no effect: finetuning_type is full, which "
                 "trains the whole model\n"},
        IdleCase{"do_sample: false\ntop_p: 0.5\n",
                 "top_p: '0.5' (base.yaml, line 5) has no effect: do_sample is false, so the "
                 "likeliest token is taken\n"},
        IdleCase{"max_length: 5\n",
                 "max_length: '5' (base.yaml, line 4) has no effect: max_new_tokens is set\n"},
        IdleCase{"max_length: 5\nmax_new_tokens: 0\n", ""},
        IdleCase{"export_dir: o\n",
                 "export_dir: 'o' (base.yaml, line 4) has no effect: only `hone export` exports\n"},
        IdleCase{"max_steps: 5\nnum_train_epochs: 3\n",
                 "num_train_epochs: '3' (base.yaml, line 5) has no effect: max_steps is set\n"},
        IdleCase{"lr_scheduler_type: constant\nwarmup_ratio: 0.1\n",
                 "warmup_ratio: '0.1' (base.yaml, line 5) has no effect: lr_scheduler_type "
                 "constant has no warm-up; constant_with_warmup has\n"},
        IdleCase{"logging_strategy: epoch\nlogging_steps: 5\n",
                 "logging_steps: '5' (base.yaml, line 5) has no effect: logging_strategy is not "
                 "steps\n"},
        IdleCase{"save_strategy: epoch\nsave_steps: 5\n",
                 "save_steps: '5' (base.yaml, line 5) has no effect: save_strategy is not steps\n"},
        IdleCase{"eval_steps: 5\n",
                 "eval_steps: '5' (base.yaml, line 4) has no effect: eval_strategy is not steps\n"},
        IdleCase{"disable_shuffling: true\ndata_seed: 5\n",
                 "data_seed: '5' (base.yaml, line 5) has no effect: disable_shuffling is true\n"}));

TEST(Combinations, NothingFollowsFromAFaultySetting) {
  const Outcome outcome = read_text(Command::train, "model_name_or_path: [a]\ndo_train: maybe\n");
  ASSERT_EQ(outcome.faults.size(), 2U) << outcome.fault_text;
  EXPECT_EQ(outcome.faults[0].asked, "model_name_or_path: '[a]' (base.yaml, line 1)");
  EXPECT_EQ(outcome.faults[1].asked, "do_train: 'maybe' (base.yaml, line 2)");
}

TEST(Effective, ShowsWhatWasGivenAndDerivedWithOrigins) {
  const Outcome outcome =
      train("learning_rate: 1.0e-4\nlora_target: [q_proj, v_proj]\nbf16: false\nseed: 7\n",
            {"learning_rate=2e-5", "--learning_rate", "3e-5"});
  EXPECT_EQ(to_text(effective_settings(outcome.result)),
            "model_name_or_path  m              (base.yaml, line 1)\n"
            "dataset             d              (base.yaml, line 2)\n"
            "lora_alpha          16             (twice lora_rank)\n"
            "lora_target         q_proj,v_proj  (base.yaml, line 5)\n"
            "do_train            true           (base.yaml, line 3)\n"
            "seed                7              (base.yaml, line 7)\n"
            "data_seed           7              (as seed)\n"
            "learning_rate       3e-05          (command line, in place of 2e-5 (command line), "
            "in place of 1.0e-4 (base.yaml, line 4))\n"
            "bf16                false          (base.yaml, line 6)\n");
  EXPECT_EQ(describe_setting(outcome.result, "learning_rate"),
            "learning_rate: '3e-5' (command line)");
  EXPECT_EQ(describe_setting(outcome.result, "cutoff_len"), "cutoff_len: '2048' (default)");
  EXPECT_EQ(describe_setting(outcome.result, "lora_alpha"), "lora_alpha: '16' (twice lora_rank)");
}

}  // namespace
}  // namespace hone::config
