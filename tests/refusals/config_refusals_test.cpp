// The texts with which settings are refused: each kind of value, each combination, and each setting
// and choice that is declared as refused.
#include <gtest/gtest.h>

#include "config/settings/declaration.h"
#include "unit/config/golden_text.h"
#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::Outcome;
using testing::read_text;
using testing::train;

struct Refusal {
  const char* lines;  // from line 4 on
  const char* text;
};

class SettingRefusal : public ::testing::TestWithParam<Refusal> {};

TEST_P(SettingRefusal, SaysWhatWasAskedWhatWasFoundAndWhatToDo) {
  EXPECT_EQ(train(GetParam().lines).fault_text, GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Values, SettingRefusal,
    ::testing::Values(
        Refusal{"learning_rate: 1,0e-5\n",
                "learning_rate: '1,0e-5' (base.yaml, line 4)\n"
                "  found: not a number\n"
                "  to do: write a number such as 1.0e-5\n"},
        Refusal{"learning_rate: -1\n",
                "learning_rate: '-1' (base.yaml, line 4)\n"
                "  found: a number out of range\n"
                "  to do: write a number of at least 0\n"},
        Refusal{"lora_dropout: 1\n",
                "lora_dropout: '1' (base.yaml, line 4)\n"
                "  found: a number out of range\n"
                "  to do: write a number of at least 0 and below 1\n"},
        Refusal{"max_grad_norm: .inf\n",
                "max_grad_norm: '.inf' (base.yaml, line 4)\n"
                "  found: a number out of range\n"
                "  to do: write a finite number\n"},
        Refusal{"lora_rank: 2.5\n",
                "lora_rank: '2.5' (base.yaml, line 4)\n"
                "  found: not a whole number\n"
                "  to do: write a whole number such as 8\n"},
        Refusal{"per_device_train_batch_size: 0\n",
                "per_device_train_batch_size: '0' (base.yaml, line 4)\n"
                "  found: a number out of range\n"
                "  to do: write a number of at least 1\n"},
        Refusal{"save_steps: 2.5\n",
                "save_steps: '2.5' (base.yaml, line 4)\n"
                "  found: a number of steps that is not whole\n"
                "  to do: write a whole number of steps, or below 1 a share of all steps\n"},
        Refusal{"device: cuda\n",
                "device: 'cuda' (base.yaml, line 4)\n"
                "  found: no such device\n"
                "  to do: set auto, cpu, gpu, or one of several GPUs: gpu:1\n"},
        Refusal{"device: gpu:x\n",
                "device: 'gpu:x' (base.yaml, line 4)\n"
                "  found: no such device\n"
                "  to do: set auto, cpu, gpu, or one of several GPUs: gpu:1\n"},
        Refusal{"device: gpu:0,gpu:1\n",
                "device: 'gpu:0,gpu:1' (base.yaml, line 4)\n"
                "  found: several devices are not in this version\n"
                "  to do: name one of them\n"},
        Refusal{"bf16: maybe\n",
                "bf16: 'maybe' (base.yaml, line 4)\n"
                "  found: neither true nor false\n"
                "  to do: write true or false\n"},
        Refusal{"memory_limit: much\n",
                "memory_limit: 'much' (base.yaml, line 4)\n"
                "  found: not a size\n"
                "  to do: write a size such as 8GiB or 800MiB; a bare number is MiB\n"},
        Refusal{"memory_limit: 0\n",
                "memory_limit: '0' (base.yaml, line 4)\n"
                "  found: a size out of range\n"
                "  to do: write a size such as 8GiB or 800MiB; a bare number is MiB\n"},
        Refusal{"export_device: disk\n",
                "export_device: 'disk' (base.yaml, line 4)\n"
                "  found: none of its choices\n"
                "  to do: the choices are: cpu, auto\n"},
        Refusal{"optim: adamw_torhc\n",
                "optim: 'adamw_torhc' (base.yaml, line 4)\n"
                "  found: none of its choices\n"
                "  to do: did you mean 'adamw_torch'? Or else, the choices are: adamw_torch, "
                "adamw_torch_fused, adamw_torch_xla, adamw_torch_npu_fused, adamw_apex_fused, "
                "paged_adamw_32bit, adamw_bf16\n"},
        Refusal{"optim: [adamw_torch, adamw_bf16]\n",
                "optim: '[adamw_torch, adamw_bf16]' (base.yaml, line 4)\n"
                "  found: a list\n"
                "  to do: write one of: adamw_torch, "
                "adamw_torch_fused, adamw_torch_xla, adamw_torch_npu_fused, adamw_apex_fused, "
                "paged_adamw_32bit, adamw_bf16\n"},
        Refusal{"lora_target: q_proj,\n",
                "lora_target: 'q_proj,' (base.yaml, line 4)\n"
                "  found: an empty name between commas\n"
                "  to do: remove the comma that is too many\n"},
        Refusal{"seed: [1, 2]\n",
                "seed: '[1, 2]' (base.yaml, line 4)\n"
                "  found: a list\n"
                "  to do: write one plain value\n"},
        Refusal{"seed:\n  value: 1\n",
                "seed: '{...}' (base.yaml, line 4)\n"
                "  found: a nested block\n"
                "  to do: write one plain value after the colon; settings are not nested, so each "
                "stands at the left margin\n"},
        Refusal{"run_name: run-${seed}\n",
                "run_name: 'run-${seed}' (base.yaml, line 4)\n"
                "  found: ${seed}, and no setting of that name is given\n"
                "  to do: give seed, or write ${oc.env:seed} for an environment variable\n"}));

INSTANTIATE_TEST_SUITE_P(
    Names, SettingRefusal,
    ::testing::Values(
        Refusal{"learning_rte: 1e-4\n",
                "learning_rte (base.yaml, line 4)\n"
                "  found: no setting has this name\n"
                "  to do: did you mean learning_rate?\n"},
        Refusal{"qqqqqqq: 1\n",
                "qqqqqqq (base.yaml, line 4)\n"
                "  found: no setting has this name\n"
                "  to do: remove it; `hone help` lists the settings\n"},
        Refusal{"adapter: x\n",
                "adapter (base.yaml, line 4)\n"
                "  found: a name cut short\n"
                "  to do: write one of them whole: adapter_name_or_path, adapter_folder\n"},
        Refusal{"train: {learning_rate: 1e-4}\n",
                "train (base.yaml, line 4)\n"
                "  found: a block, and no setting has its name\n"
                "  to do: settings are not nested: write those in it at the left margin, without "
                "it\n"},
        Refusal{"evaluation_strategy: no\neval_strategy: no\n",
                "eval_strategy (base.yaml, line 5)\n"
                "  found: the same setting as evaluation_strategy (base.yaml, line 4)\n"
                "  to do: keep one of the two\n"},
        Refusal{"\tbf16: true\n",
                "base.yaml, line 4\n"
                "  found: a tab before 'bf16: true'\n"
                "  to do: remove the tab: settings stand at the left margin\n"},
        Refusal{"learning_rate:1e-4 \n",
                "base.yaml, line 4\n"
                "  found: 'learning_rate:1e-4', without a blank after the colon\n"
                "  to do: write learning_rate: 1e-4\n"},
        Refusal{"learning_rate = 1e-4\n",
                "base.yaml, line 4\n"
                "  found: 'learning_rate = 1e-4', with an equals sign\n"
                "  to do: write learning_rate: 1e-4\n"}));

INSTANTIATE_TEST_SUITE_P(
    Combinations, SettingRefusal,
    ::testing::Values(
        Refusal{
            "max_steps: 0\n",
            "max_steps: '0' (base.yaml, line 4)\n"
            "  found: a run of no steps\n"
            "  to do: write the number of steps, or -1 for as many as num_train_epochs takes\n"},
        Refusal{"val_size: 0.1\neval_dataset: e\n",
                "val_size: '0.1' (base.yaml, line 4), eval_dataset: 'e' (base.yaml, line 5)\n"
                "  found: two sources of records for evaluation\n"
                "  to do: keep one of the two\n"},
        Refusal{"val_size: 1.0e-7\n",
                "val_size: '1.0e-7' (base.yaml, line 4)\n"
                "  found: a fraction that holds no record\n"
                "  to do: write 0 for no split, or a larger fraction\n"},
        Refusal{"val_size: 2.5\n",
                "val_size: '2.5' (base.yaml, line 4)\n"
                "  found: a number of records that is not whole\n"
                "  to do: write a fraction below 1 or a whole number\n"},
        Refusal{"val_size: 1\n",
                "val_size: '1' (base.yaml, line 4)\n"
                "  found: neither a fraction nor several records\n"
                "  to do: write a fraction below 1 or a number of records above 1\n"},
        Refusal{"eval_strategy: epoch\n",
                "eval_strategy: 'epoch' (base.yaml, line 4)\n"
                "  found: nothing to evaluate on\n"
                "  to do: set val_size to set records apart, e.g. 0.1, or eval_dataset\n"},
        Refusal{"do_eval: true\n",
                "do_eval: 'true' (base.yaml, line 4)\n"
                "  found: nothing to evaluate on\n"
                "  to do: set val_size to set records apart, e.g. 0.1, or eval_dataset\n"},
        Refusal{"eval_on_start: true\n",
                "eval_on_start: 'true' (base.yaml, line 4)\n"
                "  found: nothing to evaluate on\n"
                "  to do: set val_size to set records apart, e.g. 0.1, or eval_dataset\n"},
        Refusal{"mask_history: true\ntrain_on_prompt: true\n",
                "mask_history: 'true' (base.yaml, line 4), train_on_prompt: 'true' (base.yaml, "
                "line 5)\n"
                "  found: labels on the last answer alone, and labels on everything\n"
                "  to do: keep one of the two\n"},
        Refusal{"warmup_steps: 5\nwarmup_ratio: 0.1\n",
                "warmup_steps: '5' (base.yaml, line 4), warmup_ratio: '0.1' (base.yaml, line 5)\n"
                "  found: two lengths of warm-up\n"
                "  to do: keep one of the two\n"},
        Refusal{"logging_steps: 0\n",
                "logging_steps: '0' (base.yaml, line 4)\n"
                "  found: logging every 0 steps\n"
                "  to do: write a number of steps, or set the strategy to no\n"},
        Refusal{"save_steps: 0\n",
                "save_steps: '0' (base.yaml, line 4)\n"
                "  found: saving every 0 steps\n"
                "  to do: write a number of steps, or set the strategy to no\n"},
        Refusal{"eval_strategy: steps\nval_size: 9\neval_steps: 0\nlogging_strategy: no\n"
                "logging_steps: 0\n",
                "eval_steps: '0' (base.yaml, line 6)\n"
                "  found: evaluating every 0 steps\n"
                "  to do: write a number of steps, or set the strategy to no\n"},
        Refusal{"compute_type: fp32\nbf16: true\n",
                "compute_type: 'fp32' (base.yaml, line 4), bf16: 'true' (base.yaml, line 5)\n"
                "  found: two precisions\n"
                "  to do: keep one of the two\n"},
        Refusal{"compute_type: fp32\npure_bf16: true\n",
                "compute_type: 'fp32' (base.yaml, line 4), pure_bf16: 'true' (base.yaml, line 5)\n"
                "  found: two precisions\n"
                "  to do: keep one of the two\n"},
        Refusal{"compute_type: bf16\nbf16: false\n",
                "compute_type: 'bf16' (base.yaml, line 4), bf16: 'false' (base.yaml, line 5)\n"
                "  found: two precisions\n"
                "  to do: keep one of the two\n"},
        Refusal{"finetuning_type: full\nadapter_name_or_path: a\n",
                "adapter_name_or_path: 'a' (base.yaml, line 5), finetuning_type: 'full' "
                "(base.yaml, line 4)\n"
                "  found: an adapter without LoRA\n"
                "  to do: set finetuning_type: lora, or leave the adapter out\n"},
        Refusal{"finetuning_type: full\nuse_rslora: true\n",
                "use_rslora: 'true' (base.yaml, line 5), finetuning_type: 'full' (base.yaml, "
                "line 4)\n"
                "  found: a setting of LoRA without LoRA\n"
                "  to do: set finetuning_type: lora, or leave it out\n"},
        Refusal{"lora_target: all,q_proj\n",
                "lora_target: 'all,q_proj' (base.yaml, line 4)\n"
                "  found: all modules, and some of them\n"
                "  to do: write all, or the names alone\n"}));

TEST(SettingRefusals, WhatIsMissing) {
  EXPECT_EQ(read_text(Command::train, "do_train: true\n").fault_text,
            "model_name_or_path (not given)\n"
            "  found: no model\n"
            "  to do: set model_name_or_path to the model's folder, or to its GGUF file\n"
            "dataset (not given)\n"
            "  found: no data to train on\n"
            "  to do: set dataset to one or more names in dataset_info.json\n");
  EXPECT_EQ(read_text(Command::plan, "model_name_or_path: m\nval_size: 0.1\n").fault_text,
            "do_train (not given)\n"
            "  found: neither training nor evaluation is asked for\n"
            "  to do: set do_train: true, or do_eval: true to evaluate without training\n"
            "dataset (not given)\n"
            "  found: val_size, but no data to set records apart from\n"
            "  to do: set dataset, or eval_dataset in place of val_size\n");
  EXPECT_EQ(read_text(Command::export_model, "model_name_or_path: m\n").fault_text,
            "export_dir (not given)\n"
            "  found: no folder to write to\n"
            "  to do: set export_dir to the folder for the merged model\n");
}

TEST(SettingRefusals, OfOtherCommands) {
  EXPECT_EQ(read_text(Command::chat, "model_name_or_path: m\nlearning_rate: 1\n").fault_text,
            "learning_rate (base.yaml, line 2)\n"
            "  found: a setting of train, plan, which chat does not take\n"
            "  to do: remove it, or run `hone train`\n");
  EXPECT_EQ(train("n_shot: 5\n").fault_text,
            "n_shot (base.yaml, line 4)\n"
            "  found: a setting for benchmarks, which are not in this version\n"
            "  to do: remove it\n");
}

// A value that is not the default of a setting without choices.
std::string other_value(const Declaration& declaration) {
  switch (declaration.kind) {
    case Kind::boolean:
      return declaration.default_text == "true" ? "false" : "true";
    case Kind::whole:
    case Kind::number:
      return "3";
    default:
      return "other";
  }
}

TEST(SettingRefusals, OfEverySettingAndChoiceThatIsDeclaredAsRefused) {
  std::string texts;
  for (const Declaration& declaration : Declarations::all().list()) {
    if (declaration.group == Group::evaluation) continue;  // of no command: see above
    std::vector<std::string> values;
    if (declaration.state == State::refused) values.push_back(other_value(declaration));
    for (const Choice& choice : declaration.choices) {
      if (!choice.refused.empty()) values.push_back(choice.name);
    }
    for (const std::string& value : values) {
      const Outcome outcome = train(declaration.name + ": " + value + "\n");
      EXPECT_EQ(outcome.faults.size(), 1U) << declaration.name << " " << outcome.fault_text;
      texts += outcome.fault_text;
    }
    if (declaration.state != State::refused) continue;
    const Outcome plain = train(declaration.name + ": " + declaration.default_text + "\n");
    EXPECT_TRUE(plain.faults.empty()) << plain.fault_text;
    EXPECT_EQ(plain.notices(), "");
  }
  testing::expect_kept_text(texts, HONE_TEST_DATA "/refused_settings.txt");
}

}  // namespace
}  // namespace hone::config
