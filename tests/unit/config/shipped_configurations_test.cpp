// Configurations and commands as people have them: LLaMA-Factory's kinds of examples with its
// values, and commands of published guides.
#include <gtest/gtest.h>

#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::Outcome;
using testing::read_text;
using testing::read_words;

constexpr const char* kLora = R"(### model
model_name_or_path: models/smol
trust_remote_code: true

### method
stage: sft
do_train: true
finetuning_type: lora
lora_rank: 8
lora_target: all

### dataset
dataset: identity,alpaca_en_demo
template: llama3
cutoff_len: 2048
max_samples: 1000
preprocessing_num_workers: 16
dataloader_num_workers: 4

### output
output_dir: saves/lora
logging_steps: 10
save_steps: 500
plot_loss: true
overwrite_output_dir: true
save_only_model: false
report_to: none  # choices: none, tensorboard

### train
per_device_train_batch_size: 1
gradient_accumulation_steps: 8
learning_rate: 1.0e-4
num_train_epochs: 3.0
lr_scheduler_type: cosine
warmup_ratio: 0.1
bf16: true
ddp_timeout: 180000000
resume_from_checkpoint: null

### eval
# eval_dataset: alpaca_en_demo
# val_size: 0.1
# per_device_eval_batch_size: 1
# eval_strategy: steps
# eval_steps: 500
)";

TEST(ShippedConfigurations, LoraExample) {
  const Outcome outcome = read_text(Command::train, kLora);
  EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
  const Settings& settings = outcome.result.settings;
  EXPECT_EQ(settings.data.dataset, (std::vector<std::string>{"identity", "alpaca_en_demo"}));
  EXPECT_EQ(settings.training.gradient_accumulation_steps, 8);
  EXPECT_EQ(settings.training.learning_rate, 1e-4);
  EXPECT_EQ(settings.training.lr_scheduler_type, ScheduleKind::cosine);
  EXPECT_EQ(steps_of(settings.training.warmup_steps, 100), 10);
  EXPECT_EQ(settings.training.compute_type, ComputeType::bfloat16);
  EXPECT_EQ(settings.finetuning.lora_alpha, 16);
  EXPECT_EQ(settings.training.resume_from_checkpoint, std::nullopt);
  EXPECT_EQ(outcome.result.notices.size(), 3U) << outcome.notices();  // each says its reason
}

TEST(ShippedConfigurations, LoraExampleWithItsEvaluation) {
  const std::string example = kLora;
  const std::string text =
      example.substr(0, example.find("# eval_dataset")) +
      "val_size: 0.1\nper_device_eval_batch_size: 1\neval_strategy: steps\neval_steps: 500\n";
  const Outcome outcome = read_text(Command::train, text);
  EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
  EXPECT_TRUE(outcome.result.settings.training.do_eval);
}

const std::string kStage3 = HONE_SOURCE_ROOT "/examples/deepspeed/ds_z3_config.json";

TEST(ShippedConfigurations, FullExample) {
  const Outcome outcome = read_text(Command::train,
                                    "model_name_or_path: m\nstage: sft\ndo_train: true\n"
                                    "finetuning_type: full\n"
                                    "deepspeed: " +
                                        kStage3 +
                                        "\ndataset: identity\ngradient_accumulation_steps: 2\n"
                                        "learning_rate: 1.0e-5\nbf16: true\n");
  EXPECT_EQ(outcome.fault_text, "");
  EXPECT_EQ(outcome.result.settings.zero.stage, ZeroStage::parameters);
}

TEST(ShippedConfigurations, MergeAndChatExamples) {
  const std::string model =
      "model_name_or_path: m\nadapter_name_or_path: saves/lora\ntemplate: llama3\n"
      "trust_remote_code: true\n";
  const Outcome merge =
      read_text(Command::export_model,
                model +
                    "export_dir: output/merged\nexport_size: 5\nexport_device: cpu  # or auto\n"
                    "export_legacy_format: false\n");
  EXPECT_TRUE(merge.faults.empty()) << merge.fault_text;
  EXPECT_EQ(merge.result.settings.export_to.export_dir, "output/merged");
  const Outcome chat = read_text(Command::chat, model + "infer_backend: huggingface\n");
  EXPECT_TRUE(chat.faults.empty()) << chat.fault_text;
  EXPECT_EQ(chat.result.settings.model.adapter_name_or_path,
            std::vector<std::string>{"saves/lora"});
}

TEST(ShippedConfigurations, PrecisionLinesOfAGuide) {
  const Outcome outcome = testing::train(
      "compute_type: bf16  # in place of fp16\noptim: adamw_bf16\nlr_scheduler_type: cosine\n"
      "warmup_ratio: 0.1\ndisable_flash_attn: true\n");
  EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
  EXPECT_EQ(outcome.result.settings.training.compute_type, ComputeType::bfloat16);
  EXPECT_EQ(outcome.result.settings.training.optim, OptimizerKind::adamw_bf16);
}

TEST(ShippedConfigurations, LoraCommandOfAGuide) {
  const Outcome outcome = read_words(
      Command::train, {"--stage", "sft", "--model_name_or_path", "meta-llama/Llama-3-8B-Instruct",
                       "--do_train", "--finetuning_type", "lora", "--lora_target", "q_proj,v_proj",
                       "--dataset", "my_custom_data", "--template", "llama3", "--backend", "pt",
                       "--compute_dtype", "bfloat16", "--output_dir", "./saves/llama3-lora-rocm"});
  EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
  const Settings& settings = outcome.result.settings;
  EXPECT_EQ(settings.training.output_dir, "./saves/llama3-lora-rocm");
  EXPECT_EQ(settings.training.compute_type, ComputeType::bfloat16);
  EXPECT_EQ(outcome.notices(),
            "--compute_dtype (command line) is read as compute_type, its name here\n"
            "backend: pt (command line) has no effect: hone computes by itself\n"
            "compute_type: bfloat16 is read as bf16: true\n");
}

TEST(ShippedConfigurations, FullCommandOfAGuide) {
  const Outcome outcome = read_words(Command::train, {"--model_name_or_path",
                                                      "meta-llama/Llama-3-70B-Instruct",
                                                      "--do_train",
                                                      "--finetuning_type",
                                                      "full",
                                                      "--dataset",
                                                      "alpaca_en_demo",
                                                      "--template",
                                                      "llama3",
                                                      "--deepspeed",
                                                      kStage3,
                                                      "--output_dir",
                                                      "saves/llama3-70b/full/sft",
                                                      "--per_device_train_batch_size",
                                                      "1",
                                                      "--gradient_accumulation_steps",
                                                      "4",
                                                      "--learning_rate",
                                                      "1e-5",
                                                      "--num_train_epochs",
                                                      "3",
                                                      "--compute_type",
                                                      "bf16",
                                                      "--plot_loss",
                                                      "true"});
  EXPECT_EQ(outcome.fault_text, "");
  EXPECT_EQ(outcome.result.settings.zero.stage, ZeroStage::parameters);
  EXPECT_TRUE(outcome.result.settings.finetuning.plot_loss);
  EXPECT_EQ(outcome.result.settings.training.learning_rate, 1e-5);
}

}  // namespace
}  // namespace hone::config
