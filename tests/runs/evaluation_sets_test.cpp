// eval_on_each_dataset: every set has its own numbers, under LLaMA-Factory's names.
#include <gtest/gtest.h>

#include <filesystem>

#include "assemble/evaluation_run.h"
#include "formats/json.h"
#include "kit/training_session.h"

namespace hone::kit {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Sets `d` (ten records), `b/c` (one record) and `text`, whose losses are known.
class EvaluationSets : public testing::Test {
 protected:
  EvaluationSets() {
    shop_.place().write("DATA/dataset_info.json",
                        R"({"d":{"file_name":"d.json"},"b/c":{"file_name":"b.json"},)"
                        R"("text":{"file_name":"t.txt","columns":{"prompt":"text"}}})");
    shop_.place().write("DATA/b.json", R"([{"instruction":"x","input":"","output":"aaaaaaaa"}])");
    shop_.place().write("DATA/t.txt", "aaaaaaaaaaaaaaa\n");
  }

  formats::Value results(const std::string& name) const {
    return formats::read_json(shop_.results() / name);
  }

  static std::vector<std::string> keys(const formats::Value& object) {
    std::vector<std::string> keys;
    for (const formats::Member& member : object.object()) keys.push_back(member.key);
    return keys;
  }

  Workshop shop_{ModelOptions{Kind::closed_form}, data_k10()};
};

TEST_F(EvaluationSets, HaveTheirOwnNumbersInTraining) {
  const auto run =
      shop_.run({"eval_dataset=d,b/c", "eval_on_each_dataset=true", "eval_strategy=steps",
                 "eval_steps=4", "max_steps=4", "plot_loss=true", "per_device_eval_batch_size=1"});
  ASSERT_EQ(run->error, "");
  const formats::Value eval = results("eval_results.json");
  EXPECT_EQ(keys(eval),
            (Words{"epoch", "eval_b/c_loss", "eval_b/c_loss_batch_mean", "eval_b/c_runtime",
                   "eval_b/c_samples_per_second", "eval_b/c_steps_per_second", "eval_d_loss",
                   "eval_d_loss_batch_mean", "eval_d_runtime", "eval_d_samples_per_second",
                   "eval_d_steps_per_second"}));
  EXPECT_NEAR(eval.find("eval_b/c_loss")->number(), closed_form_loss(8), 1e-4);
  double sum = 0.0;
  for (int a = 1; a <= 10; ++a) sum += closed_form_loss(a);
  EXPECT_NEAR(eval.find("eval_d_loss_batch_mean")->number(), sum / 10, 1e-4);
  // Two evaluations at step 4 and two at the end, each an entry of its own.
  ASSERT_EQ(run->events.evaluations.size(), 4u);
  EXPECT_EQ(run->events.evaluations[0].metrics.front().key, "eval_d_loss");
  EXPECT_EQ(run->events.evaluations[1].metrics.front().key, "eval_b/c_loss");
  EXPECT_TRUE(fs::exists(shop_.results() / "training_eval_d_loss.png"));
  EXPECT_TRUE(fs::exists(shop_.results() / "training_eval_b_c_loss.png"));
  EXPECT_FALSE(fs::exists(shop_.results() / "training_eval_loss.png"));
  EXPECT_EQ(run->summary[4], "evaluation d: 10 records, 275 tokens");
  EXPECT_EQ(run->summary[5], "evaluation b/c: 1 records, 30 tokens");
}

TEST_F(EvaluationSets, TogetherWithoutTheSetting) {
  const auto run = shop_.run({"eval_dataset=d,b/c", "do_eval=true", "max_steps=1"});
  ASSERT_EQ(run->error, "");
  EXPECT_EQ(run->summary[4], "evaluation: 11 records, 305 tokens");
  EXPECT_NE(results("eval_results.json").find("eval_loss"), nullptr);
}

TEST_F(EvaluationSets, OfTextsHavePerplexities) {
  const Words text = {"stage=pt", "dataset=text", "eval_dataset=text", "cutoff_len=16",
                      "do_eval=true"};
  ASSERT_EQ(shop_.run(text)->error, "");
  const formats::Value eval = results("eval_results.json");
  ASSERT_NE(eval.find("eval_perplexity"), nullptr);
  EXPECT_NEAR(eval.find("eval_perplexity")->number(), std::exp(eval.find("eval_loss")->number()),
              1e-9);

  Words alone = text;
  alone.insert(alone.end(), {"do_train=false", "eval_on_each_dataset=true"});
  const auto read = config::read_settings({config::Command::train, shop_.words(alone), "", false});
  RecordingLog log;
  RecordingListener events;
  assemble::EvaluationRun run(read, {log, events, [] { return false; }});
  run.run();
  const formats::Value each = results("eval_results.json");
  EXPECT_EQ(keys(each), (Words{"eval_text_loss", "eval_text_loss_batch_mean",
                               "eval_text_perplexity", "eval_text_runtime",
                               "eval_text_samples_per_second", "eval_text_steps_per_second"}));
}

}  // namespace
}  // namespace hone::kit
