// reduce_lr_on_plateau: the rate of a run follows its evaluations, also those before a resumption.
#include <gtest/gtest.h>

#include "kit/training_session.h"

namespace hone::kit {
namespace {

// Weights hardly move, so no evaluation is better than the first: the rate falls at the third.
const std::vector<std::string> kSettings = {
    "learning_rate=1e-20",
    "lr_scheduler_type=reduce_lr_on_plateau",
    R"(lr_scheduler_kwargs={"patience": 1, "factor": 0.5, "eps": 0})",
    "eval_dataset=d",
    "eval_strategy=steps",
    "eval_steps=2",
    "max_steps=10",
    "save_strategy=steps",
    "save_steps=5"};

std::vector<double> rates(const Session& session) {
  std::vector<double> rates;
  for (const report::StepFinished& step : session.events.steps) rates.push_back(step.learning_rate);
  return rates;
}

TEST(ReduceOnPlateau, FallsWhereEvaluationsDoNotImprove) {
  const Workshop shop({Kind::closed_form}, data_k10());
  const auto run = shop.run(kSettings);
  ASSERT_EQ(run->error, "");
  const double r = 1e-20;
  EXPECT_EQ(rates(*run), (std::vector<double>{r, r, r, r, r, r, r / 2, r / 2, r / 2, r / 2}));
}

// The evaluation before the first step is no reason to fall, as in transformers.
TEST(ReduceOnPlateau, DoesNotCountTheEvaluationAtTheStart) {
  const Workshop shop({Kind::closed_form}, data_k10());
  std::vector<std::string> settings = kSettings;
  settings.emplace_back("eval_on_start=true");
  const auto run = shop.run(settings);
  ASSERT_EQ(run->error, "");
  EXPECT_EQ(rates(*run).at(5), 1e-20);
}

TEST(ReduceOnPlateau, ResumesWithWhatItHasSeen) {
  const Workshop whole({Kind::closed_form}, data_k10());
  const auto through = whole.run(kSettings);
  ASSERT_EQ(through->error, "");
  const Workshop shop({Kind::closed_form}, data_k10());
  ASSERT_TRUE(shop.die(kSettings, 7)->died);
  const auto resumed = shop.run(kSettings);
  ASSERT_EQ(resumed->error, "");
  const std::vector<double> all = rates(*through);
  EXPECT_EQ(rates(*resumed), std::vector<double>(all.begin() + 5, all.end()));
}

}  // namespace
}  // namespace hone::kit
