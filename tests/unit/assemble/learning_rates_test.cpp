// The learning rate of every update, from settings as a user writes them, against what transformers
// gave (tests/golden/record/learning_rates.py).
#include "assemble/learning_rate_options.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "config/reading/read_settings.h"
#include "formats/json.h"
#include "formats/json_writer.h"

namespace hone::assemble {
namespace {

using formats::Value;

// f64 on both sides, recorded with 15 digits; cosines of two libraries may differ in the last bits.
constexpr double kTolerance = 1e-14;

Value recorded() {
  return formats::read_json(HONE_SOURCE_ROOT "/tests/golden/data/learning_rates.json");
}

config::TrainingSettings read(const std::string& kind, const std::string& arguments,
                              const std::vector<std::string>& more) {
  std::vector<std::string> words = {"model_name_or_path=m", "dataset=d", "do_train=true",
                                    "learning_rate=1e-3", "lr_scheduler_type=" + kind};
  if (arguments != "{}") words.push_back("lr_scheduler_kwargs=" + arguments);
  words.insert(words.end(), more.begin(), more.end());
  return config::read_settings({config::Command::train, words, "", false}).settings.training;
}

TEST(LearningRates, AreThoseOfTransformers) {
  const Value file = recorded();
  ASSERT_EQ(file.find("learning_rate")->number(), 1e-3);
  for (const Value& item : file.find("schedules")->array()) {
    const std::string& kind = item.find("name")->string();
    const std::string arguments = formats::dump_python(*item.find("settings"));
    SCOPED_TRACE(kind + " " + arguments);
    const std::int64_t total = item.find("total")->integer();
    const std::string warmup = std::to_string(item.find("warmup")->integer());
    const optimizers::LearningRateSchedule schedule =
        learning_rate_schedule(read(kind, arguments, {"warmup_steps=" + warmup}), total);
    const formats::Array& rates = item.find("rates")->array();
    ASSERT_EQ(static_cast<std::int64_t>(rates.size()), total);
    for (std::int64_t step = 0; step < total; ++step) {
      EXPECT_NEAR(schedule.at(step), rates[static_cast<std::size_t>(step)].number(),
                  1e-3 * kTolerance)
          << step;
    }
  }
}

TEST(LearningRates, FollowEvaluationsAsTorchDoes) {
  const Value file = recorded();
  for (const Value& item : file.find("plateaus")->array()) {
    const std::string arguments = formats::dump_python(*item.find("settings"));
    SCOPED_TRACE(arguments);
    const auto options = plateau_options(
        read("reduce_lr_on_plateau", arguments, {"eval_strategy=epoch", "val_size=0.1"}));
    ASSERT_TRUE(options.has_value());
    optimizers::Plateau plateau(*options, 1e-3);
    const formats::Array& losses = file.find("losses")->array();
    for (std::size_t i = 0; i < losses.size(); ++i) {
      plateau.see(losses[i].is_null() ? std::numeric_limits<double>::quiet_NaN()
                                      : losses[i].number());
      EXPECT_NEAR(plateau.rate(), item.find("rates")->array()[i].number(), 1e-3 * kTolerance) << i;
    }
  }
}

// Whatever is not given comes from the rest of the steps, as LLaMA-Factory fills it in.
TEST(LearningRates, StableAndDecayStepsAreFilledIn) {
  const auto schedule = [](const std::string& arguments) {
    return learning_rate_schedule(read("warmup_stable_decay", arguments, {"warmup_steps=2"}), 22);
  };
  EXPECT_EQ(schedule("{}").stable_steps, 6);
  EXPECT_EQ(schedule("{}").decay_steps, 14);
  EXPECT_EQ(schedule(R"({"num_stable_steps": 3})").decay_steps, 14);
  EXPECT_EQ(schedule(R"({"num_decay_steps": 3})").stable_steps, 6);
}

TEST(LearningRates, AFloorOfARateOfNothingIsNothing) {
  const auto training = read("cosine_with_min_lr", R"({"min_lr": 1e-4})", {"learning_rate=0"});
  EXPECT_EQ(learning_rate_schedule(training, 10).at(5), 0.0);
}

TEST(LearningRates, NamesOfWhatIsFollowed) {
  config::TrainingSettings training;
  EXPECT_EQ(metric_followed(training), "eval_loss");
  training.metric_for_best_model = "a_loss";
  EXPECT_EQ(metric_followed(training), "eval_a_loss");
  training.metric_for_best_model = "eval_a_loss";
  EXPECT_EQ(metric_followed(training), "eval_a_loss");
  EXPECT_FALSE(plateau_options(training).has_value());
}

}  // namespace
}  // namespace hone::assemble
