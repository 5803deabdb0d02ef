// Losses and gradient norms of whole runs on models where both can be derived by hand.
//
// The values come from the definition in double precision: the mean over all label tokens of an
// optimizer step, counted before the shift. One micro-step is f32, hence 1e-5 relative for losses
// and 1e-4 for norms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "formats/json.h"
#include "kit/training_session.h"

namespace hone::kit {
namespace {

constexpr double kLossError = 1e-5;
constexpr double kNormError = 1e-4;

void expect_loss(double loss, double expected) {
  EXPECT_NEAR(loss, expected, kLossError * expected);
}

struct Known {
  Kind kind;
  double a, b, both;
};

class KnownLosses : public testing::TestWithParam<Known> {};

TEST_P(KnownLosses, RecordsAloneAndTogether) {
  const Known& known = GetParam();
  const Workshop shop({known.kind});
  const auto apart = shop.run({"disable_shuffling=true"});
  ASSERT_EQ(apart->error, "");
  ASSERT_EQ(apart->events.steps.size(), 2u);
  expect_loss(*apart->events.steps[0].loss, known.a);
  expect_loss(*apart->events.steps[1].loss, known.b);
  const auto together = shop.run({"per_device_train_batch_size=2", "overwrite_output_dir=true"});
  ASSERT_EQ(together->error, "");
  ASSERT_EQ(together->events.steps.size(), 1u);
  expect_loss(*together->first().loss, known.both);
  EXPECT_EQ(together->first().label_tokens, 13);
  EXPECT_EQ(together->first().tokens, 53);
}

INSTANTIATE_TEST_SUITE_P(Kit, KnownLosses,
                         testing::Values(Known{Kind::closed_form, 1.807579, 6.265300, 2.836284},
                                         Known{Kind::tied_sines, 3.441334, 7.461301, 4.369019},
                                         Known{Kind::everything, 6.342319, 7.005179, 6.495287}));

TEST(KnownLosses, OneLongerRecord) {
  const auto closed = Workshop({Kind::closed_form}, data_m1()).run();
  ASSERT_EQ(closed->error, "");
  expect_loss(*closed->first().loss, 6.122424);
  EXPECT_EQ(closed->first().tokens, 102);
  EXPECT_EQ(closed->first().label_tokens, 39);
  const auto everything = Workshop({}, data_m1()).run();
  ASSERT_EQ(everything->error, "");
  expect_loss(*everything->first().loss, 5.531116);
}

// A wrong mean is one of: 4.036439 / 1.450786 (mean of the micro-batches' means), 1.418142 /
// 0.520273 (divided by 4 batches where 2 came), 36.87 / 13.5271 (a sum).
TEST(KnownLosses, AccumulationWeighsByLabelTokens) {
  const Workshop shop({Kind::closed_form});
  const std::vector<std::vector<std::string>> layouts = {
      {"per_device_train_batch_size=2"},
      {"gradient_accumulation_steps=2"},
      {"gradient_accumulation_steps=4"},
      {"gradient_accumulation_steps=2", "micro_step_tokens=30"},
  };
  for (std::vector<std::string> layout : layouts) {
    SCOPED_TRACE(layout.back());
    layout.emplace_back("overwrite_output_dir=true");
    const auto session = shop.run(layout);
    ASSERT_EQ(session->error, "");
    ASSERT_EQ(session->events.steps.size(), 1u);
    expect_loss(*session->first().loss, 2.836284);
    EXPECT_NEAR(*session->first().grad_norm, 1.040546, kNormError * 1.040546);
  }
}

// LLaMA-Factory divides by the labels counted before the shift, so that a label at the first
// position, which nothing predicts, weighs in the divisor only.
TEST(KnownLosses, FirstTokenAsALabelCountsInTheDivisor) {
  const auto empty_prompt = Workshop({Kind::closed_form}, {{"", "aaaa"}}).run({"template=empty"});
  ASSERT_EQ(empty_prompt->error, "");
  EXPECT_EQ(empty_prompt->first().tokens, 4);
  EXPECT_EQ(empty_prompt->first().label_tokens, 4);
  expect_loss(*empty_prompt->first().loss, 3.0 / 4.0 * std::log(2.0));
  // "Human: x" EOS "\nAssistant:" "a" EOS "\n": three letters a among 22 predicted tokens.
  const auto whole = Workshop({Kind::closed_form}, {{"x", "a"}}).run({"train_on_prompt=true"});
  ASSERT_EQ(whole->error, "");
  EXPECT_EQ(whole->first().label_tokens, 23);
  expect_loss(*whole->first().loss, (3.0 * std::log(2.0) + 19.0 * std::log(526.0)) / 23.0);
}

double measure(const Session& session, const std::string& name) {
  return report::to_number(report::find_measured(session.events.evaluations.at(0).metrics, name));
}

// The mean over label tokens whatever the batch size; LLaMA-Factory's mean of batch means beside
// it.
TEST(KnownLosses, EvaluationWeighsByLabelTokens) {
  const Workshop shop({Kind::closed_form});
  for (const char* size : {"1", "2", "8"}) {
    SCOPED_TRACE(size);
    const auto session = shop.run({"do_eval=true", "eval_dataset=d", "overwrite_output_dir=true",
                                   std::string("per_device_eval_batch_size=") + size});
    ASSERT_EQ(session->error, "");
    ASSERT_EQ(session->events.evaluations.size(), 1u);
    expect_loss(measure(*session, "eval_loss"), 2.836284);
    expect_loss(measure(*session, "eval_loss_batch_mean"),
                std::string(size) == "1" ? 4.036439 : 2.836284);
  }
}

TEST(KnownLosses, RecordsWithoutLabelsWeighNothing) {
  const Workshop shop({Kind::closed_form}, {{"x", ""}, {"x", "aaaa"}});
  const auto both = shop.run({"template=empty", "gradient_accumulation_steps=2"});
  ASSERT_EQ(both->error, "");
  ASSERT_EQ(both->events.steps.size(), 1u);
  expect_loss(*both->first().loss, std::log(2.0));
  EXPECT_EQ(both->first().label_tokens, 4);
  EXPECT_TRUE(both->log.has("training: 1 record has no label"));
}

TEST(KnownLosses, DataWithoutAnyLabelIsRefused) {
  const auto session = Workshop({Kind::closed_form}, {{"x", ""}}).run({"template=empty"});
  EXPECT_NE(session->error.find("no record with a token to learn"), std::string::npos)
      << session->error;
  EXPECT_TRUE(session->events.steps.empty());
}

// The step of the empty record comes second here; if it counted as an update, AdamW's moments would
// move the weights by it.
TEST(KnownLosses, StepWithoutLabelsChangesNothing) {
  const std::vector<std::string> settings = {"template=empty", "disable_shuffling=true",
                                             "learning_rate=1e-3"};
  const Workshop alone({}, {{"x", "aaaa"}});
  const auto expected = alone.run(settings);
  ASSERT_EQ(expected->error, "");
  for (const std::vector<Example>& data :
       {std::vector<Example>{{"x", "aaaa"}, {"x", ""}}, {{"x", ""}, {"x", "aaaa"}}}) {
    const Workshop shop({}, data);
    const auto session = shop.run(settings);
    ASSERT_EQ(session->error, "");
    const std::size_t empty = data[0].output.empty() ? 0 : 1;
    const report::StepFinished& step = session->events.steps.at(empty);
    EXPECT_FALSE(step.loss.has_value());
    EXPECT_FALSE(step.grad_norm.has_value());
    EXPECT_EQ(step.label_tokens, 0);
    const report::StepFinished& other = session->events.steps.at(1 - empty);
    EXPECT_EQ(other.loss, expected->first().loss);
    EXPECT_TRUE(
        same_files(shop.results() / "model.safetensors", alone.results() / "model.safetensors"));
    const std::string log = bytes_of(shop.results() / "trainer_log.jsonl");
    EXPECT_EQ(log.find("\"loss\": 0.0"), std::string::npos) << log;
    // In LLaMA-Factory's log what was not measured is not there; transformers' history says null.
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 3) << log;
    EXPECT_EQ(log.find("\"loss\""), log.rfind("\"loss\"")) << log;
    const formats::Value state = formats::read_json(shop.results() / "trainer_state.json");
    const formats::Array& history = state.find("log_history")->array();
    ASSERT_NE(history.at(empty).find("loss"), nullptr);
    EXPECT_TRUE(history.at(empty).find("loss")->is_null());
    // The mean over the run is that of the one step that had labels.
    const formats::Value results = formats::read_json(shop.results() / "train_results.json");
    EXPECT_NEAR(results.find("train_loss")->number(), *expected->first().loss, 1e-12);
  }
}

// 2.154847 is the norm without the embedding's share, 2.356574 that of two tensors apart.
TEST(KnownLosses, TiedEmbeddingHasBothShares) {
  const Workshop shop({Kind::tied_sines});
  const auto session = shop.run({"per_device_train_batch_size=2"});
  ASSERT_EQ(session->error, "");
  expect_loss(*session->first().loss, 4.369019);
  EXPECT_NEAR(*session->first().grad_norm, 2.349244, kNormError * 2.349244);
  EXPECT_EQ(session->trainable_parameters, 8912);
  EXPECT_NE(session->memory_table.find("optimizer state"), std::string::npos);
  const auto tensors = read_tensors(shop.results() / "model.safetensors");
  EXPECT_EQ(tensors.size(), 20u);
  EXPECT_EQ(tensors.count("lm_head.weight"), 0u);
  const formats::Value config = formats::read_json(shop.results() / "config.json");
  EXPECT_TRUE(config.find("tie_word_embeddings")->boolean());
  const auto again =
      shop.run({"per_device_train_batch_size=2", "model_name_or_path=" + shop.results().string(),
                "output_dir=" + (shop.place().path() / "AGAIN").string()});
  ASSERT_EQ(again->error, "");
  EXPECT_EQ(again->first().loss, session->first().loss);
}

// A pad token that is EOS must not take the real EOS out of the labels: two of the 13 labels are
// EOS, and without them the loss is 2.212826.
TEST(KnownLosses, PadTokenEqualToEosKeepsItsLabels) {
  ModelOptions options{Kind::closed_form};
  options.left_out = {"pad_token_id"};
  const Workshop shop(options);
  const std::filesystem::path config = shop.model() / "tokenizer_config.json";
  std::string text = bytes_of(config);
  const std::string pad = "\"pad_token\": \"<|pad|>\", ";
  ASSERT_NE(text.find(pad), std::string::npos);
  std::ofstream(config) << text.erase(text.find(pad), pad.size());
  const auto session = shop.run({"per_device_train_batch_size=2"});
  ASSERT_EQ(session->error, "");
  EXPECT_EQ(session->first().label_tokens, 13);
  expect_loss(*session->first().loss, 2.836284);
}

}  // namespace
}  // namespace hone::kit
