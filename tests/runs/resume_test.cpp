// The order of the data, made readable by losses that name their record, and what resuming says
// and does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>

#include "formats/json.h"
#include "kit/training_session.h"

namespace hone::kit {
namespace {

namespace fs = std::filesystem;

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

// Which record of data_k10() a closed-form loss belongs to; 0 for none.
int record_of(double loss) {
  for (int k = 1; k <= 10; ++k) {
    if (std::abs(loss - closed_form_loss(k)) < 1e-4) return k;
  }
  return 0;
}

std::vector<int> records_of(const std::vector<double>& losses) {
  std::vector<int> records;
  for (const double loss : losses) records.push_back(record_of(loss));
  return records;
}

// The log history of a run without the summary, as text.
std::string history(const fs::path& results) {
  const formats::Value state = formats::read_json(results / "trainer_state.json");
  std::string text;
  for (const formats::Value& entry : state.find("log_history")->array()) {
    const formats::Value* loss = entry.find("loss");
    if (loss == nullptr) continue;
    text += std::to_string(entry.find("step")->integer()) + " " + std::to_string(loss->number()) +
            " " + std::to_string(entry.find("grad_norm")->number()) + "\n";
  }
  return text;
}

TEST(DataOrder, EveryEpochIsAnotherPermutation) {
  const Workshop shop({Kind::closed_form}, data_k10());
  const auto session = shop.run({"num_train_epochs=3"});
  ASSERT_EQ(session->error, "");
  const std::vector<int> records = records_of(session->losses());
  ASSERT_EQ(records.size(), 30u);
  std::vector<std::vector<int>> epochs;
  for (int epoch = 0; epoch < 3; ++epoch) {
    epochs.emplace_back(records.begin() + 10 * epoch, records.begin() + 10 * (epoch + 1));
    std::vector<int> sorted = epochs.back();
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  }
  EXPECT_NE(epochs[0], epochs[1]);
  EXPECT_NE(epochs[1], epochs[2]);
  EXPECT_NE(epochs[0], epochs[2]);
}

struct Stop {
  const char* name;
  std::vector<std::string> settings;
  int after;
  int steps;
};

class ResumedOrder : public testing::TestWithParam<Stop> {};

TEST_P(ResumedOrder, EqualsUninterruptedLineByLine) {
  const Stop& stop = GetParam();
  for (const Kind kind : {Kind::closed_form, Kind::everything}) {
    std::vector<std::string> settings = stop.settings;
    settings.insert(settings.end(), {"num_train_epochs=3", "save_strategy=steps",
                                     "save_steps=" + std::to_string(stop.after)});
    if (kind == Kind::everything) settings.emplace_back("learning_rate=1e-3");
    const Workshop whole({kind}, data_k10());
    const auto through = whole.run(settings);
    ASSERT_EQ(through->error, "");
    ASSERT_EQ(through->events.steps.size(), static_cast<std::size_t>(stop.steps));
    // Again from the checkpoint of the finished run, in a folder of its own.
    const fs::path checkpoint = whole.results() / ("checkpoint-" + std::to_string(stop.after));
    const fs::path again = whole.place().path() / "AGAIN";
    settings.push_back("resume_from_checkpoint=" + checkpoint.string());
    settings.push_back("output_dir=" + again.string());
    const auto resumed = whole.run(settings);
    ASSERT_EQ(resumed->error, "");
    EXPECT_TRUE(resumed->log.has("resuming from " + checkpoint.string() + ", after step " +
                                 std::to_string(stop.after)));
    ASSERT_EQ(resumed->events.steps.size(), static_cast<std::size_t>(stop.steps - stop.after));
    for (std::size_t i = 0; i < resumed->events.steps.size(); ++i) {
      const report::StepFinished& now = resumed->events.steps[i];
      const report::StepFinished& then =
          through->events.steps.at(i + static_cast<std::size_t>(stop.after));
      EXPECT_EQ(now.step, then.step);
      EXPECT_EQ(now.loss, then.loss);
      EXPECT_EQ(now.grad_norm, then.grad_norm);
      EXPECT_EQ(now.tokens_seen, then.tokens_seen);
    }
    EXPECT_EQ(history(again), history(whole.results()));
    EXPECT_TRUE(same_files(again / "model.safetensors", whole.results() / "model.safetensors"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Stops, ResumedOrder,
    testing::Values(Stop{"InTheSecondEpoch", {}, 13, 30}, Stop{"AtAnEpochsEnd", {}, 10, 30},
                    Stop{"BatchesOfTwo", {"per_device_train_batch_size=2"}, 7, 15},
                    Stop{"Accumulated", {"gradient_accumulation_steps=3"}, 5, 12}),
    [](const testing::TestParamInfo<Stop>& stop) { return std::string(stop.param.name); });

// Ten steps with checkpoints 5 and 10.
class ResumeRules : public testing::Test {
 protected:
  std::unique_ptr<Session> train(const std::vector<std::string>& more) const {
    std::vector<std::string> settings = {"learning_rate=1e-3", "save_strategy=steps",
                                         "save_steps=5"};
    settings.insert(settings.end(), more.begin(), more.end());
    return shop_.run(settings);
  }
  std::string checkpoint(int step) const {
    return (shop_.results() / ("checkpoint-" + std::to_string(step))).string();
  }

  Workshop shop_{ModelOptions{}, data_k10()};
};

TEST_F(ResumeRules, WithoutOptimizerStateSaysSo) {
  ASSERT_EQ(train({"save_only_model=true"})->error, "");
  const auto session = train({"resume_from_checkpoint=" + checkpoint(5)});
  ASSERT_EQ(session->error, "");
  EXPECT_TRUE(
      session->log.has("has no optimizer state (save_only_model): the optimizer's moments "
                       "start anew; the learning rate goes on from step 5"));
  EXPECT_EQ(session->first().step, 6);
}

TEST_F(ResumeRules, AnotherLearningRateAppliesAndIsSaid) {
  ASSERT_EQ(train({})->error, "");
  const auto session = train({"resume_from_checkpoint=" + checkpoint(5), "learning_rate=2e-3"});
  ASSERT_EQ(session->error, "");
  EXPECT_TRUE(
      session->log.has("warning: resumed with learning_rate: 0.002, where the checkpoint "
                       "was made with 0.001; the value of now applies"));
  EXPECT_EQ(session->first().learning_rate, 2e-3);
}

TEST_F(ResumeRules, NothingLeftTouchesNothing) {
  ASSERT_EQ(train({})->error, "");
  std::map<fs::path, std::pair<fs::file_time_type, std::uintmax_t>> before;
  const auto look = [&](auto& files) {
    for (const auto& entry : fs::recursive_directory_iterator(shop_.results())) {
      if (!entry.is_regular_file()) continue;
      files[entry.path()] = {entry.last_write_time(), entry.file_size()};
    }
  };
  look(before);
  const auto session = train({"resume_from_checkpoint=" + checkpoint(10)});
  ASSERT_EQ(session->error, "");
  EXPECT_TRUE(session->outcome.nothing_left);
  ASSERT_FALSE(session->outcome.lines.empty());
  expect_in(session->outcome.lines[0], "nothing left to train");
  expect_in(session->outcome.lines[0], "step 10 of 10");
  EXPECT_TRUE(session->events.steps.empty());
  decltype(before) after;
  look(after);
  EXPECT_EQ(before, after);
}

// Killed within the last save, after the new checkpoint had its name.
TEST_F(ResumeRules, LeftoversOfTheLastSaveAreRemoved) {
  const std::vector<std::string> settings = {"save_total_limit=1"};
  ASSERT_EQ(train({})->error, "");
  fs::rename(checkpoint(5), checkpoint(5) + ".removed");
  for (const char* name : {"model.safetensors", "trainer_state.json"}) {
    fs::remove(shop_.results() / name);
  }
  ASSERT_EQ(train(settings)->error, "");
  EXPECT_FALSE(fs::exists(checkpoint(5) + ".removed"));
  EXPECT_TRUE(fs::exists(checkpoint(10)));
  EXPECT_TRUE(fs::exists(shop_.results() / "model.safetensors"));
}

// Killed between the last checkpoint and the last of the results: no step is left, but work is.
TEST_F(ResumeRules, ResultsThatAreMissingAreWritten) {
  const std::vector<std::string> settings = {"do_eval=true", "eval_dataset=d", "plot_loss=true"};
  ASSERT_EQ(train(settings)->error, "");
  const std::vector<std::string> results = {
      "model.safetensors", "config.json",       "all_results.json",   "train_results.json",
      "eval_results.json", "training_loss.png", "trainer_state.json", "README.md"};
  const std::string model = bytes_of(shop_.results() / "model.safetensors");
  const std::string steps = history(shop_.results());
  const auto log_steps = [&] {
    std::string lines;
    std::istringstream file(bytes_of(shop_.results() / "trainer_log.jsonl"));
    for (std::string line; std::getline(file, line);)
      lines += line.substr(0, line.find(',')) + "\n";
    return lines;
  };
  const std::string log = log_steps();
  for (const std::string& name : results) fs::remove(shop_.results() / name);
  const auto session = train(settings);
  ASSERT_EQ(session->error, "");
  EXPECT_FALSE(session->outcome.nothing_left);
  EXPECT_TRUE(session->events.steps.empty());
  for (const std::string& name : results) {
    EXPECT_TRUE(fs::exists(shop_.results() / name)) << name;
  }
  EXPECT_TRUE(bytes_of(shop_.results() / "model.safetensors") == model);
  EXPECT_EQ(history(shop_.results()), steps);
  // The summary, too, is there once: it was written before the run was killed, and again.
  EXPECT_EQ(log_steps(), log);
  EXPECT_TRUE(train(settings)->outcome.nothing_left);
  // The results of a shorter run are not those of this one.
  fs::remove(shop_.results() / "README.md");
  ASSERT_EQ(train({"num_train_epochs=2", "max_steps=15"})->outcome.step, 15);
  EXPECT_TRUE(train({"max_steps=10"})->outcome.nothing_left);
}

TEST_F(ResumeRules, MoreEpochsGoOn) {
  ASSERT_EQ(train({})->error, "");
  const auto session = train({"resume_from_checkpoint=" + checkpoint(10), "num_train_epochs=2"});
  ASSERT_EQ(session->error, "");
  EXPECT_EQ(session->events.steps.size(), 10u);
  EXPECT_EQ(session->outcome.step, 20);
  EXPECT_TRUE(session->log.has("num_train_epochs"));
}

TEST_F(ResumeRules, NothingThereIsAnError) {
  const auto session = train({"resume_from_checkpoint=true"});
  expect_in(session->error, "no checkpoint in " + shop_.results().string());
  EXPECT_TRUE(session->events.steps.empty());
}

TEST_F(ResumeRules, ModelFolderIsNoCheckpoint) {
  const auto session = train({"resume_from_checkpoint=" + shop_.model().string()});
  expect_in(session->error, shop_.model().string());
  expect_in(session->error, "no");
  EXPECT_TRUE(session->events.steps.empty());
}

TEST_F(ResumeRules, AnotherDataSetIsSaidWithBothSizes) {
  ASSERT_EQ(train({})->error, "");
  std::vector<Example> fewer = data_k10();
  fewer.resize(8);
  write_data(shop_.data(), fewer);
  const auto session = train({"resume_from_checkpoint=" + checkpoint(5)});
  ASSERT_EQ(session->error, "");
  EXPECT_TRUE(session->log.has("resumed on another training set: 8 records"));
  EXPECT_TRUE(session->log.has("10 records"));
}

}  // namespace
}  // namespace hone::kit
