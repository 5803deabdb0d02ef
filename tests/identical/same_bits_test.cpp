// Pairs of runs that promise the same bits. Each test asserts that its two sides took different
// ways.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "kit/training_session.h"

namespace hone::kit {
namespace {

namespace fs = std::filesystem;

struct Variant {
  const char* name;
  std::vector<std::string> settings;
  const char* weights;
};

// Ten steps over a schedule that changes the learning rate every step; means over three steps, so
// that a stop falls between two log entries.
const std::vector<std::string> kTraining = {
    "learning_rate=1e-2",           "lr_scheduler_type=cosine", "warmup_steps=2",
    "num_train_epochs=2",           "weight_decay=0.01",        "logging_steps=3",
    "per_device_train_batch_size=2"};

std::vector<std::string> with(const std::vector<std::string>& more,
                              const std::vector<std::string>& base = kTraining) {
  std::vector<std::string> settings = base;
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

void expect_same_steps(const Session& left, std::size_t from, const Session& right) {
  ASSERT_EQ(left.events.steps.size(), from + right.events.steps.size());
  for (std::size_t i = 0; i < right.events.steps.size(); ++i) {
    EXPECT_EQ(left.events.steps[from + i].step, right.events.steps[i].step);
    EXPECT_EQ(left.events.steps[from + i].loss, right.events.steps[i].loss) << i;
    EXPECT_EQ(left.events.steps[from + i].grad_norm, right.events.steps[i].grad_norm) << i;
  }
}

class SameBits : public testing::TestWithParam<Variant> {
 protected:
  Workshop shop_{ModelOptions{}, data_k10()};
};

TEST_P(SameBits, SameRunTwice) {
  const Variant& variant = GetParam();
  const Workshop other(ModelOptions{}, data_k10());
  const std::vector<std::string> settings = with({"threads=2"}, with(variant.settings));
  const auto first = shop_.run(settings);
  const auto second = other.run(settings);
  ASSERT_EQ(first->error, "");
  ASSERT_EQ(first->events.steps.size(), 10u);
  expect_same_steps(*first, 0, *second);
  EXPECT_TRUE(same_files(shop_.results() / variant.weights, other.results() / variant.weights));
  // Weights moved, or there would be nothing to compare.
  EXPECT_NE(first->events.steps.front().loss, first->events.steps.at(5).loss);
}

// The means and their grouping, not only the weights.
std::string log_without_times(const fs::path& results) {
  std::string text;
  std::istringstream lines(bytes_of(results / "trainer_log.jsonl"));
  std::string line;
  while (std::getline(lines, line)) text += line.substr(0, line.find("\"elapsed_time\"")) + "\n";
  return text;
}

std::string state_without_times(const fs::path& checkpoint) {
  std::string text;
  std::istringstream lines(bytes_of(checkpoint / "trainer_state.json"));
  std::string line;
  while (std::getline(lines, line)) {
    const bool time = line.find("eval_runtime") != std::string::npos ||
                      line.find("_per_second") != std::string::npos;
    if (!time) text += line + "\n";
  }
  return text;
}

TEST_P(SameBits, ResumedAndUninterrupted) {
  const Variant& variant = GetParam();
  const std::vector<std::string> settings =
      with({"save_strategy=steps", "save_steps=4"}, with(variant.settings));
  const auto through = shop_.run(settings);
  ASSERT_EQ(through->error, "");
  for (const int stop : {1, 4, 5, 9}) {
    SCOPED_TRACE(stop);
    const Workshop other(ModelOptions{}, data_k10());
    const auto before = other.run(settings, stop);
    ASSERT_EQ(before->error, "");
    ASSERT_TRUE(before->outcome.interrupted);
    ASSERT_FALSE(fs::exists(other.results() / variant.weights));
    const auto after = other.run(settings);
    ASSERT_EQ(after->error, "");
    ASSERT_EQ(after->first().step, stop + 1);
    expect_same_steps(*through, static_cast<std::size_t>(stop), *after);
    EXPECT_TRUE(same_files(shop_.results() / variant.weights, other.results() / variant.weights));
    EXPECT_EQ(log_without_times(other.results()), log_without_times(shop_.results()));
    const fs::path last = "checkpoint-10";
    EXPECT_TRUE(same_files(shop_.results() / last / "optimizer.safetensors",
                           other.results() / last / "optimizer.safetensors"));
    EXPECT_EQ(state_without_times(other.results() / last),
              state_without_times(shop_.results() / last));
  }
}

// Nothing after the last checkpoint was saved, though lines of the log were written.
TEST_P(SameBits, KilledAndUninterrupted) {
  const Variant& variant = GetParam();
  const std::vector<std::string> settings =
      with({"save_strategy=steps", "save_steps=4", "logging_steps=1"}, with(variant.settings));
  const auto through = shop_.run(settings);
  const Workshop other(ModelOptions{}, data_k10());
  ASSERT_TRUE(other.die(settings, 7)->died);
  ASSERT_NE(bytes_of(other.results() / "trainer_log.jsonl").find("\"current_steps\": 6"),
            std::string::npos);
  ASSERT_TRUE(fs::exists(other.results() / "checkpoint-4"));
  const auto after = other.run(settings);
  ASSERT_EQ(after->error, "");
  ASSERT_EQ(after->first().step, 5);
  expect_same_steps(*through, 4, *after);
  EXPECT_TRUE(same_files(shop_.results() / variant.weights, other.results() / variant.weights));
  EXPECT_EQ(log_without_times(other.results()), log_without_times(shop_.results()));
}

TEST_P(SameBits, StoppedAfterEveryStep) {
  const Variant& variant = GetParam();
  const std::vector<std::string> settings = with(variant.settings);
  const auto through = shop_.run(settings);
  const Workshop other(ModelOptions{}, data_k10());
  for (int step = 1; step < 10; ++step) {
    const auto session = other.run(settings, 1);
    ASSERT_EQ(session->error, "");
    ASSERT_EQ(session->outcome.step, step);
  }
  ASSERT_FALSE(other.run(settings)->outcome.interrupted);
  EXPECT_TRUE(same_files(shop_.results() / variant.weights, other.results() / variant.weights));
}

INSTANTIATE_TEST_SUITE_P(
    Runs, SameBits,
    testing::Values(
        Variant{"Full", {}, "model.safetensors"},
        Variant{"Lora",
                {"finetuning_type=lora", "lora_dropout=0.1", "bf16=true"},
                "adapter_model.safetensors"},
        Variant{"LoraWithWholeModules",
                {"finetuning_type=lora", "lora_target=q_proj,v_proj", "lora_dropout=0.1",
                 "additional_target=lm_head"},
                "adapter_model.safetensors"},
        Variant{"Bf16State", {"optim=adamw_bf16"}, "model.safetensors"},
        Variant{"PureBf16", {"pure_bf16=true", "optim=adamw_bf16"}, "model.safetensors"},
        Variant{"Evaluated",
                {"val_size=0.2", "eval_strategy=steps", "eval_steps=2", "eval_on_start=true",
                 "max_steps=10"},
                "model.safetensors"},
        Variant{"ManyMicroSteps",
                {"gradient_accumulation_steps=2", "max_steps=10", "micro_step_tokens=1"},
                "model.safetensors"}),
    [](const testing::TestParamInfo<Variant>& variant) { return std::string(variant.param.name); });

// A model whose activations a limit can tell apart from everything else in the process.
class Recomputed : public testing::TestWithParam<Variant> {};

TEST_P(Recomputed, EqualsKept) {
  const Variant& variant = GetParam();
  ModelOptions model;
  model.sizes.intermediate = 512;
  model.sizes.blocks = 4;
  std::vector<Example> data = data_ab();
  data.push_back({"x", std::string(2000, 'c')});
  const Workshop shop(model, data);
  const std::vector<std::string> settings =
      with(variant.settings, {"learning_rate=1e-3", "cutoff_len=4096", "micro_step_tokens=4096",
                              "per_device_train_batch_size=3", "max_steps=2"});
  const auto kept = shop.run(settings);
  ASSERT_EQ(kept->error, "");
  const std::string weights = bytes_of(shop.results() / variant.weights);
  // Planned anew: what the process holds by now counts too.
  const std::vector<std::string> anew = with({"overwrite_output_dir=true"}, settings);
  const std::size_t limit = (shop.plan(anew)->planned_bytes >> 20) - 16;
  const auto again = shop.run(with({"memory_limit=" + std::to_string(limit) + "MiB"}, anew));
  ASSERT_EQ(again->error, "");
  ASSERT_EQ(kept->recomputed_blocks, 0);
  ASSERT_GT(again->recomputed_blocks, 0);
  expect_same_steps(*kept, 0, *again);
  EXPECT_TRUE(bytes_of(shop.results() / variant.weights) == weights);
}

INSTANTIATE_TEST_SUITE_P(Runs, Recomputed,
                         testing::Values(Variant{"Full", {}, "model.safetensors"},
                                         Variant{"Lora",
                                                 {"finetuning_type=lora", "lora_dropout=0.1"},
                                                 "adapter_model.safetensors"}),
                         [](const testing::TestParamInfo<Variant>& variant) {
                           return std::string(variant.param.name);
                         });

}  // namespace
}  // namespace hone::kit
