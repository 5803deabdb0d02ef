#include "report/results.h"

#include <gtest/gtest.h>

#include <limits>

#include "unit/report/recording.h"

namespace hone::report {
namespace {

const Metrics kTrain = {{"train_runtime", 83.4567},
                        {"train_samples_per_second", 1.234},
                        {"train_steps_per_second", 0.36},
                        {"total_flos", 64832671416320.0},
                        {"train_loss", 1.23456789}};

TEST(Results, RoundAsPythonDoes) {
  EXPECT_EQ(rounded(2.675, 2), 2.67);
  EXPECT_EQ(rounded(0.125, 2), 0.12);
  EXPECT_EQ(rounded(411.0 / 1091 * 100, 2), 37.67);
  EXPECT_EQ(rounded(1234.56785, 4), 1234.5678);
  EXPECT_EQ(rounded(1e22, 4), 1e22);
  EXPECT_EQ(rounded(std::numeric_limits<double>::infinity(), 2),
            std::numeric_limits<double>::infinity());
}

TEST(Results, TextIsThatOfTransformers) {
  EXPECT_EQ(results_text(kTrain, 3.0),
            "{\n    \"epoch\": 3.0,\n    \"total_flos\": 64832671416320.0,\n"
            "    \"train_loss\": 1.23456789,\n    \"train_runtime\": 83.4567,\n"
            "    \"train_samples_per_second\": 1.234,\n    \"train_steps_per_second\": 0.36\n}");
}

TEST(Results, ValuesThatAreNoneAreNull) {
  EXPECT_EQ(results_text({{"train_loss", Measured()},
                          {"eval_perplexity", std::numeric_limits<double>::infinity()},
                          {"n", std::int64_t{7}}},
                         std::nullopt),
            "{\n    \"eval_perplexity\": null,\n    \"n\": 7,\n    \"train_loss\": null\n}");
}

TEST(Results, AllResultsAreTheUnion) {
  RecordingLog log;
  const std::string before = results_text({{"train_loss", 2.0}, {"train_runtime", 1.5}}, 1.0);
  EXPECT_EQ(all_results_text(before, {{"eval_loss", 0.5}, {"train_loss", 1.0}}, 3.0, log),
            "{\n    \"epoch\": 3.0,\n    \"eval_loss\": 0.5,\n    \"train_loss\": 1.0,\n"
            "    \"train_runtime\": 1.5\n}");
  EXPECT_EQ(all_results_text("", {{"eval_loss", 0.5}}, std::nullopt, log),
            "{\n    \"eval_loss\": 0.5\n}");
  EXPECT_TRUE(log.lines.empty());
}

TEST(Results, ABrokenAllResultsIsReplacedWithAWarning) {
  RecordingLog log;
  const std::string fresh = "{\n    \"eval_loss\": 0.5\n}";
  EXPECT_EQ(all_results_text("{\"a\": 1", {{"eval_loss", 0.5}}, std::nullopt, log), fresh);
  EXPECT_EQ(all_results_text("[1]", {{"eval_loss", 0.5}}, std::nullopt, log), fresh);
  ASSERT_EQ(log.lines.size(), 2u);
  EXPECT_EQ(log.lines[0].find("warning: all_results.json: it could not be read ("), 0u);
  EXPECT_EQ(log.lines[1], "warning: all_results.json: it held no JSON object and is written anew.");
}

TEST(Results, TrainMetricsAreRounded) {
  TrainTotals totals;
  totals.runtime_seconds = 83.456789;
  totals.samples = 240;
  totals.steps = 30;
  totals.total_flops = 5e12;
  totals.train_loss = 1.25;
  EXPECT_EQ(train_metrics(totals), (Metrics{{"train_runtime", 83.4568},
                                            {"train_samples_per_second", 2.876},
                                            {"train_steps_per_second", 0.359},
                                            {"total_flos", 5e12},
                                            {"train_loss", 1.25}}));
}

TEST(Results, TrainMetricsCountTokensWhenAsked) {
  TrainTotals totals;
  totals.runtime_seconds = 2;
  totals.tokens_seen = 3000;
  totals.tokens = 1000;
  totals.effective_tokens_per_second = 499.5;
  const Metrics metrics = train_metrics(totals);
  EXPECT_EQ(find_measured(metrics, "train_tokens_per_second"), Measured(500.0));
  EXPECT_EQ(find_measured(metrics, "num_input_tokens_seen"), Measured(std::int64_t{3000}));
  EXPECT_EQ(find_measured(metrics, "effective_tokens_per_sec"), Measured(499.5));
  EXPECT_EQ(find_measured(metrics, "train_loss"), Measured());
  EXPECT_TRUE(has_key(metrics, "train_loss"));
}

TEST(Results, NoTimeGivesNoRates) {
  EXPECT_EQ(train_metrics({}),
            (Metrics{{"train_runtime", 0.0}, {"total_flos", 0.0}, {"train_loss", Measured()}}));
}

TEST(Results, EvaluationMetricsCarryThePrefix) {
  const EvaluationTotals totals = {2.0, 10, 5, {{"loss", 1.5}, {"loss_batch_mean", 1.25}}};
  EXPECT_EQ(evaluation_metrics(totals), (Metrics{{"eval_loss", 1.5},
                                                 {"eval_loss_batch_mean", 1.25},
                                                 {"eval_runtime", 2.0},
                                                 {"eval_samples_per_second", 5.0},
                                                 {"eval_steps_per_second", 2.5}}));
  EXPECT_EQ(evaluation_metrics(totals, "eval_law").front().key, "eval_law_loss");
}

TEST(Results, BlockIsThatOfTransformers) {
  EXPECT_EQ(metrics_block("train", kTrain, 3.0),
            "***** train metrics *****\n"
            "  epoch                    =        3.0\n"
            "  total_flos               =    60380GF\n"
            "  train_loss               =     1.2346\n"
            "  train_runtime            = 0:01:23.45\n"
            "  train_samples_per_second =      1.234\n"
            "  train_steps_per_second   =       0.36\n");
}

TEST(Results, BlockShowsNoNumberWhereThereIsNone) {
  EXPECT_EQ(metrics_block("eval",
                          {{"eval_loss", Measured()},
                           {"eval_perplexity", std::numeric_limits<double>::infinity()},
                           {"eval_runtime", std::numeric_limits<double>::quiet_NaN()}},
                          std::nullopt),
            "***** eval metrics *****\n"
            "  eval_loss       =  no labels\n"
            "  eval_perplexity = not finite\n"
            "  eval_runtime    = not finite\n");
}

}  // namespace
}  // namespace hone::report
