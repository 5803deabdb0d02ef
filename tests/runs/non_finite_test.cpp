// Numbers that are no numbers end a run: before weights are touched, and never as a loss of 0.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "kit/training_session.h"
#include "train/sentinel.h"

namespace hone::kit {
namespace {

namespace fs = std::filesystem;

// The head is the end of the file; the first element of its row for 'b' becomes a NaN.
void spoil_head(const fs::path& file) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(-264 * 64 + 98 * 64, std::ios::end);
  stream.write("\x00\x00\xc0\x7f", 4);
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

void expect_nothing_but_numbers(const Session& session, const Workshop& shop) {
  for (const report::StepFinished& step : session.events.steps) {
    ASSERT_TRUE(step.loss.has_value());
    EXPECT_TRUE(std::isfinite(*step.loss));
    EXPECT_GT(*step.loss, 0.0);
  }
  const std::string log = formats::TemporaryFolder::read(shop.results() / "trainer_log.jsonl");
  for (const char* wrong : {"\"loss\": 0.0", "nan", "NaN", "inf"}) {
    EXPECT_EQ(log.find(wrong), std::string::npos) << log;
  }
  EXPECT_FALSE(fs::exists(shop.results() / "model.safetensors"));
}

TEST(NonFinite, WeightThatIsNoNumber) {
  const Workshop shop({Kind::closed_form});
  spoil_head(shop.model() / "model.safetensors");
  const auto session = shop.run({"per_device_train_batch_size=2", "learning_rate=1e-3",
                                 "num_train_epochs=5", "save_strategy=steps", "save_steps=1"});
  expect_in(session->error, "step 1");
  expect_in(session->error, "step 1, records 1, 2 of d.json");
  expect_in(session->error, "lm_head.weight");
  expect_in(session->error, "use intact weights");
  EXPECT_TRUE(session->events.steps.empty());
  // Nothing was written yet, and so nothing is left.
  EXPECT_FALSE(fs::exists(shop.results()));
}

TEST(NonFinite, EvaluationIsHeldToItToo) {
  const Workshop shop({Kind::closed_form});
  spoil_head(shop.model() / "model.safetensors");
  const auto session = shop.run({"eval_on_start=true", "eval_dataset=d"});
  expect_in(session->error, "evaluation: records 1 to 2");
  expect_in(session->error, "not a number");
  EXPECT_TRUE(session->events.evaluations.empty());
  EXPECT_TRUE(session->events.steps.empty());
}

TEST(NonFinite, LearningRateFarTooLarge) {
  const Workshop shop({Kind::closed_form});
  const auto session =
      shop.run({"per_device_train_batch_size=2", "learning_rate=1e30", "num_train_epochs=5"});
  expect_in(session->error, "step 2, record");
  expect_in(session->error, "is not a number");
  expect_in(session->error, "learning_rate");
  EXPECT_EQ(session->events.steps.size(), 1u);
  expect_nothing_but_numbers(*session, shop);
}

// The records of the step that failed, as the user counts them, and no others.
TEST(NonFinite, NamesTheRecordsOfTheStep) {
  const Workshop shop({}, data_k10());
  const auto session =
      shop.run({"learning_rate=1e30", "disable_shuffling=true", "max_grad_norm=0"});
  expect_in(session->error, "step 2, record 2 of d.json\n");
}

// A record that was dropped still counts in its file.
TEST(NonFinite, CountsRecordsAsTheirFileDoes) {
  const Workshop shop;
  std::ofstream(shop.data() / "d.json") << R"([
    {"instruction": "x", "output": null}, {"instruction": "x", "output": "a"},
    {"instruction": "x", "output": null}, {"instruction": "x", "output": "b"}])";
  const auto session =
      shop.run({"learning_rate=1e30", "disable_shuffling=true", "max_grad_norm=0"});
  expect_in(session->error, "step 2, record 4 of d.json");
}

TEST(NonFinite, ListsRecordsByFileAndNotAllOfMany) {
  const std::vector<std::string> files = {"a.json", "b.json"};
  EXPECT_EQ(train::list_records({{0, 3, 0}, {0, 7, 0}, {1, 1, 0}, {0, 2, 0}}, files),
            "records 3, 7 of a.json, 1 of b.json, 2 of a.json");
  EXPECT_EQ(train::list_records(std::vector<data::RecordOrigin>(18, {1, 5, 0}), files),
            "records 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 of b.json and 2 more");
}

TEST(NonFinite, EarlierCheckpointStays) {
  const Workshop shop({}, data_k10());
  const std::vector<std::string> saving = {"save_strategy=steps", "save_steps=1",
                                           "learning_rate=1e-3"};
  const auto good = shop.run(saving, 3);
  ASSERT_EQ(good->error, "");
  ASSERT_TRUE(good->outcome.interrupted);
  const fs::path kept = shop.results() / "checkpoint-3" / "model.safetensors";
  const std::string before = bytes_of(kept);
  const auto bad =
      shop.run({"save_strategy=steps", "save_steps=1", "learning_rate=1e39", "save_total_limit=1"});
  expect_in(bad->error, "step 4: saving the weights");
  EXPECT_TRUE(bad->events.saves.empty());
  EXPECT_TRUE(bytes_of(kept) == before);
  for (const auto& entry : fs::directory_iterator(shop.results())) {
    if (!fs::exists(entry.path() / "model.safetensors")) continue;
    for (const auto& [name, values] : read_tensors(entry.path() / "model.safetensors")) {
      for (const float value : values) ASSERT_TRUE(std::isfinite(value)) << entry << name;
    }
  }
}

// Weights beyond f32 are found when they are about to be saved, not a step later.
TEST(NonFinite, WeightsThatBecameInfiniteAreNotSaved) {
  const Workshop shop({}, data_k10());
  const auto session = shop.run({"learning_rate=1e39", "save_strategy=steps", "save_steps=1"});
  EXPECT_NE(session->error, "");
  EXPECT_TRUE(session->events.saves.empty());
  EXPECT_FALSE(fs::exists(shop.results() / "checkpoint-1"));
  EXPECT_FALSE(fs::exists(shop.results() / "model.safetensors"));
}

TEST(NonFinite, LastStepIsHeldToItToo) {
  const Workshop shop({}, data_k10());
  const auto session = shop.run({"learning_rate=1e39", "max_steps=1"});
  expect_in(session->error, "not finite");
  EXPECT_FALSE(fs::exists(shop.results() / "model.safetensors"));
}

}  // namespace
}  // namespace hone::kit
