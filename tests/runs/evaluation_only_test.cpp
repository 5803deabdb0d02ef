// do_eval without do_train: the numbers of a model as it is, and nothing else.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "assemble/evaluation_run.h"
#include "base/error.h"
#include "formats/json.h"
#include "kit/training_session.h"

namespace hone::kit {
namespace {

namespace fs = std::filesystem;

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

class Console final : public report::Listener {
 public:
  void evaluation_started(const report::EvaluationStarted& event) override {
    records = event.records;
    ++starts;
  }
  void evaluation_progressed(const report::EvaluationProgressed& event) override {
    progress.push_back(event.records);
  }
  void evaluation_finished(const report::EvaluationFinished& event) override {
    ++ends;
    measured = !event.metrics.empty();
  }
  std::int64_t records = 0;
  int starts = 0;
  int ends = 0;
  bool measured = false;
  std::vector<std::int64_t> progress;
};

struct Evaluated {
  RecordingLog log;
  Console console;
  std::vector<std::string> summary;
  std::string table;
  assemble::RunOutcome outcome;
  std::string error;
};

class EvaluationOnly : public testing::Test {
 protected:
  std::unique_ptr<Evaluated> evaluate(const std::vector<std::string>& more,
                                      bool stop_at_once = false) const {
    std::vector<std::string> settings = {"do_train=false", "do_eval=true",
                                         "per_device_eval_batch_size=4"};
    settings.insert(settings.end(), more.begin(), more.end());
    auto result = std::make_unique<Evaluated>();
    try {
      const config::ReadResult read =
          config::read_settings({config::Command::train, shop_.words(settings), "", false});
      for (const config::Notice& notice : read.notices) {
        result->log.line(notice.severity, notice.text);
      }
      assemble::EvaluationRun run(read,
                                  {result->log, result->console, [&] { return stop_at_once; }});
      result->summary = run.planned().summary();
      result->table = run.planned().memory_table();
      result->outcome = run.run();
    } catch (const UserError& error) {
      result->error = error.what();
    }
    return result;
  }

  double number(const fs::path& folder, const char* file, const char* key) const {
    const formats::Value results = formats::read_json(folder / file);
    const formats::Value* value = results.find(key);
    EXPECT_NE(value, nullptr) << key;
    return value == nullptr ? 0.0 : value->number();
  }

  std::set<std::string> names(const fs::path& folder) const {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      names.insert(fs::relative(entry.path(), folder).string());
    }
    return names;
  }

  Workshop shop_{ModelOptions{}, data_k10()};
  const fs::path trained_ = shop_.place().path() / "TRAINED";
};

TEST_F(EvaluationOnly, WritesItsNumbersAndNothingElse) {
  const auto result = evaluate({"eval_dataset=d"});
  ASSERT_EQ(result->error, "");
  EXPECT_EQ(names(shop_.results()),
            (std::set<std::string>{"all_results.json", "eval_results.json"}));
  EXPECT_EQ(bytes_of(shop_.results() / "all_results.json"),
            bytes_of(shop_.results() / "eval_results.json"));
  const formats::Value results = formats::read_json(shop_.results() / "eval_results.json");
  std::vector<std::string> keys;
  for (const formats::Member& member : results.object()) keys.push_back(member.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"eval_loss", "eval_loss_batch_mean", "eval_runtime",
                                            "eval_samples_per_second", "eval_steps_per_second"}));
  EXPECT_EQ(result->console.progress, (std::vector<std::int64_t>{4, 8, 10}));
  EXPECT_EQ(result->console.starts, 1);
  EXPECT_EQ(result->console.records, 10);
  EXPECT_EQ(result->console.ends, 1);
  EXPECT_TRUE(result->console.measured);
  ASSERT_EQ(result->outcome.lines.size(), 2u);
  expect_in(result->outcome.lines[0], "***** eval metrics *****\n  eval_loss ");
  EXPECT_EQ(result->outcome.lines[0].find("epoch"), std::string::npos);
  EXPECT_EQ(result->outcome.lines[1],
            "the numbers lie in " + (shop_.results() / "eval_results.json").string());
}

TEST_F(EvaluationOnly, SaysWhatItWillDo) {
  const auto result = evaluate({"eval_dataset=d"});
  ASSERT_EQ(result->summary.size(), 4u);
  expect_in(result->summary[1], "model: " + shop_.model().string());
  // Record k has 22 + k tokens, 2 + k of them labels; the second four of them are a batch of 114.
  EXPECT_EQ(result->summary[2],
            "evaluation alone, nothing is trained: 10 records, 275 tokens, 75 of them labels, the "
            "longest record 32");
  EXPECT_EQ(result->summary[3], "micro-steps: up to 114 tokens at once (micro_step_tokens 1,536)");
  expect_in(result->table, "weights");
  expect_in(result->table, "Fits: ");
  for (const char* no_part : {"gradients", "optimizer"}) {
    EXPECT_EQ(result->table.find(no_part), std::string::npos) << result->table;
  }
}

// What the end of a training measured, bit for bit.
TEST_F(EvaluationOnly, MeasuresWhatTrainingMeasured) {
  const std::vector<std::string> both = {"eval_dataset=d", "per_device_eval_batch_size=4"};
  for (const bool lora : {false, true}) {
    SCOPED_TRACE(lora);
    const fs::path trained = trained_ / (lora ? "lora" : "full");
    std::vector<std::string> settings = both;
    settings.insert(settings.end(),
                    {"do_eval=true", "learning_rate=1e-2", "output_dir=" + trained.string(),
                     std::string("finetuning_type=") + (lora ? "lora" : "full")});
    ASSERT_EQ(shop_.run(settings)->error, "");
    const std::string weights = lora ? "adapter_model.safetensors" : "model.safetensors";
    const std::string before = bytes_of(trained / weights);
    settings = both;
    // Into another folder, and into the trained one, which keeps what it holds.
    settings.push_back(lora ? "adapter_name_or_path=" + trained.string()
                            : "model_name_or_path=" + trained.string());
    settings.push_back(std::string("finetuning_type=") + (lora ? "lora" : "full"));
    const auto elsewhere = evaluate(settings);
    ASSERT_EQ(elsewhere->error, "");
    const double wanted = number(trained, "eval_results.json", "eval_loss");
    EXPECT_EQ(number(shop_.results(), "eval_results.json", "eval_loss"), wanted);
    const double train_loss = number(trained, "all_results.json", "train_loss");
    settings.push_back("output_dir=" + trained.string());
    ASSERT_EQ(evaluate(settings)->error, "");
    EXPECT_EQ(number(trained, "eval_results.json", "eval_loss"), wanted);
    EXPECT_EQ(formats::read_json(trained / "eval_results.json").find("epoch"), nullptr);
    EXPECT_EQ(number(trained, "all_results.json", "train_loss"), train_loss);
    EXPECT_TRUE(bytes_of(trained / weights) == before);
    // It is another number than the base's.
    ASSERT_EQ(evaluate(both)->error, "");
    EXPECT_NE(number(shop_.results(), "eval_results.json", "eval_loss"), wanted);
  }
}

TEST_F(EvaluationOnly, TakesTheRecordsThatTrainingSetsApart) {
  ASSERT_EQ(
      shop_.run({"do_eval=true", "val_size=0.3", "seed=7", "output_dir=" + trained_.string()})
          ->error,
      "");
  // A learning rate of 1e-30 changed nothing.
  const auto result = evaluate({"val_size=0.3", "seed=7"});
  ASSERT_EQ(result->error, "");
  EXPECT_EQ(number(shop_.results(), "eval_results.json", "eval_loss"),
            number(trained_, "eval_results.json", "eval_loss"));
  EXPECT_EQ(result->console.progress, std::vector<std::int64_t>{3});
}

TEST_F(EvaluationOnly, IsAskedForByAStrategyToo) {
  const auto result = evaluate({"do_eval=false", "eval_strategy=epoch", "eval_dataset=d"});
  ASSERT_EQ(result->error, "");
  EXPECT_TRUE(fs::exists(shop_.results() / "eval_results.json"));
}

TEST_F(EvaluationOnly, SaysWhatHasNoEffectAndThatNoAdapterIsNamed) {
  const auto full = evaluate({"eval_dataset=d", "lora_rank=4"});
  EXPECT_TRUE(full->log.has(
      "nothing is trained, as do_train is not true; so these have no effect: "
      "gradient_accumulation_steps, learning_rate, logging_steps, lora_rank, lr_scheduler_type, "
      "num_train_epochs, per_device_train_batch_size, save_strategy"));
  EXPECT_FALSE(full->log.has("the base model alone"));
  const auto lora = evaluate({"eval_dataset=d", "finetuning_type=lora"});
  EXPECT_TRUE(
      lora->log.has("the base model alone is evaluated, as adapter_name_or_path names no adapter"));
  EXPECT_FALSE(lora->log.has("; there is one in"));
  std::ofstream(shop_.results() / "adapter_config.json") << "{}";
  EXPECT_TRUE(evaluate({"eval_dataset=d", "finetuning_type=lora"})
                  ->log.has("warning: the base model alone is evaluated, as adapter_name_or_path "
                            "names no adapter; there is one in " +
                            shop_.results().string()));
}

TEST_F(EvaluationOnly, MemoryLimitMakesMicroStepsSmaller) {
  const auto roomy = evaluate({"eval_dataset=d", "per_device_eval_batch_size=10"});
  const double loss = number(shop_.results(), "eval_results.json", "eval_loss");
  const auto small = evaluate({"eval_dataset=d", "micro_step_tokens=32"});
  ASSERT_EQ(small->error, "");
  expect_in(small->summary[3], "micro-steps: up to 32 tokens at once (micro_step_tokens 32)");
  EXPECT_NEAR(number(shop_.results(), "eval_results.json", "eval_loss"), loss, 1e-5 * loss);
  const auto none = evaluate({"eval_dataset=d", "memory_limit=1MiB"});
  expect_in(none->error, "memory: ");
  expect_in(none->error,
            " for this evaluation\n  found: 1.00 MiB (memory_limit)\n  to do: memory_limit: ");
  // It was shrunk as far as it goes.
  expect_in(none->summary[3], "up to 32 tokens at once (micro_step_tokens 32)");
  expect_in(none->table, "Does not fit: ");
}

TEST_F(EvaluationOnly, StopsBetweenBatchesAndWritesNothing) {
  const auto result = evaluate({"eval_dataset=d"}, true);
  ASSERT_EQ(result->error, "");
  EXPECT_TRUE(result->outcome.interrupted);
  EXPECT_EQ(result->outcome.lines,
            std::vector<std::string>{"stopped after 4 of 10 records; nothing was written"});
  EXPECT_EQ(result->console.ends, 1);
  EXPECT_FALSE(result->console.measured);
  EXPECT_FALSE(fs::exists(shop_.results()));
  // The last batch ends it anyway.
  EXPECT_FALSE(
      evaluate({"eval_dataset=d", "per_device_eval_batch_size=10"}, true)->outcome.interrupted);
}

TEST_F(EvaluationOnly, RefusalsLeaveNothing) {
  shop_.place().write("EMPTY/dataset_info.json", R"({"d": {"file_name": "d.json"}})");
  shop_.place().write("EMPTY/d.json", R"([{"instruction": "x", "input": "", "output": ""}])");
  const std::string empty = "dataset_dir=" + (shop_.place().path() / "EMPTY").string();
  const std::vector<std::pair<std::vector<std::string>, std::string>> refusals = {
      {{"eval_dataset=e"}, "dataset: e\n  found: not defined"},
      {{}, "nothing to evaluate on"},
      {{"eval_dataset=d", "model_name_or_path=/no/such"}, "folder not found"},
      {{"eval_dataset=d", "finetuning_type=lora", "adapter_name_or_path=/no/such"}, "/no/such"},
      {{"eval_dataset=d", "template=empty", empty},
       "the evaluation data\n  found: no record with a token to measure"},
      {{"eval_dataset=d", "memory_limit=1MiB"}, "memory"},
  };
  for (const auto& [settings, said] : refusals) {
    const auto result = evaluate(settings);
    expect_in(result->error, said);
    EXPECT_FALSE(fs::exists(shop_.results())) << said;
  }
  // A wrong model and a wrong data set are said together.
  const auto both = evaluate({"model_name_or_path=/no/such", "eval_dataset=nope"});
  expect_in(both->error, "/no/such");
  expect_in(both->error, "nope");
}

}  // namespace
}  // namespace hone::kit
