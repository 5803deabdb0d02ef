// Pairs of runs whose sums are taken in another order: the same within the bound that f32 allows.
// Loss 1e-5 relative, gradient norm 1e-4.
#include <gtest/gtest.h>

#include <cmath>

#include "kit/training_session.h"

namespace hone::kit {
namespace {

void expect_close(const Session& left, const Session& right) {
  ASSERT_EQ(left.error, "");
  ASSERT_EQ(right.error, "");
  ASSERT_EQ(left.events.steps.size(), right.events.steps.size());
  ASSERT_FALSE(left.events.steps.empty());
  for (std::size_t i = 0; i < left.events.steps.size(); ++i) {
    const report::StepFinished& a = left.events.steps[i];
    const report::StepFinished& b = right.events.steps[i];
    EXPECT_NEAR(*a.loss, *b.loss, 1e-5 * *a.loss);
    EXPECT_NEAR(*a.grad_norm, *b.grad_norm, 1e-4 * *a.grad_norm);
    EXPECT_EQ(a.label_tokens, b.label_tokens);
    EXPECT_EQ(a.tokens, b.tokens);
  }
}

std::int64_t micro_steps(const Session& session) {
  std::int64_t count = 0;
  for (const report::StepFinished& step : session.events.steps) count += step.micro_steps;
  return count;
}

std::vector<Example> long_and_short() {
  std::vector<Example> data = data_k10();
  for (std::size_t i = 0; i < data.size(); i += 3) data[i].output += std::string(90 * i + 7, 'q');
  return data;
}

struct Way {
  const char* name;
  std::vector<std::string> settings;
};

class Cuts : public testing::TestWithParam<Way> {};

// All records packed into one micro-step; each alone; and some cuts between.
TEST_P(Cuts, GiveTheSameSteps) {
  const Workshop shop({}, long_and_short());
  std::vector<std::string> settings = GetParam().settings;
  settings.insert(settings.end(), {"per_device_train_batch_size=5", "gradient_accumulation_steps=2",
                                   "overwrite_output_dir=true"});
  settings.push_back("micro_step_tokens=100000");
  const auto packed = shop.run(settings);
  EXPECT_EQ(micro_steps(*packed), 1);
  std::int64_t before = 1;
  for (const char* tokens : {"1200", "600", "1"}) {
    SCOPED_TRACE(tokens);
    settings.back() = std::string("micro_step_tokens=") + tokens;
    const auto cut = shop.run(settings);
    expect_close(*packed, *cut);
    EXPECT_GE(micro_steps(*cut), before);
    before = micro_steps(*cut);
  }
  EXPECT_GT(before, 2);
}

INSTANTIATE_TEST_SUITE_P(Runs, Cuts,
                         testing::Values(Way{"Full", {}},
                                         // Dropout follows the record, not where it was packed.
                                         Way{"Lora", {"finetuning_type=lora", "lora_dropout=0.3"}}),
                         [](const testing::TestParamInfo<Way>& way) {
                           return std::string(way.param.name);
                         });

TEST(Alone, RecordsInABatchOfOneStepWeighAsInTheBatch) {
  const Workshop shop({}, long_and_short());
  const auto alone = shop.run({"disable_shuffling=true"});
  const auto packed = shop.run(
      {"disable_shuffling=true", "per_device_train_batch_size=10", "overwrite_output_dir=true"});
  ASSERT_EQ(alone->error, "");
  ASSERT_EQ(packed->error, "");
  ASSERT_EQ(alone->events.steps.size(), 10u);
  double sum = 0.0;
  std::int64_t labels = 0;
  for (const report::StepFinished& step : alone->events.steps) {
    sum += *step.loss * static_cast<double>(step.label_tokens);
    labels += step.label_tokens;
  }
  EXPECT_EQ(packed->first().label_tokens, labels);
  const double mean = sum / static_cast<double>(labels);
  EXPECT_NEAR(*packed->first().loss, mean, 1e-5 * mean);
}

TEST(Threads, OneAndTwo) {
  ModelOptions model;
  model.sizes.intermediate = 256;
  const Workshop shop(model, long_and_short());
  const auto one = shop.run({"per_device_train_batch_size=5", "threads=1"});
  const auto two =
      shop.run({"per_device_train_batch_size=5", "threads=2", "overwrite_output_dir=true"});
  expect_close(*one, *two);
  ASSERT_FALSE(two->summary.empty());
  EXPECT_NE(one->summary[0].find(", 1 threads"), std::string::npos) << one->summary[0];
  EXPECT_NE(two->summary[0].find(", 2 threads"), std::string::npos) << two->summary[0];
}

}  // namespace
}  // namespace hone::kit
