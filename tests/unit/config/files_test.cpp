#include <gtest/gtest.h>

#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::Outcome;
using testing::read_text;
using testing::read_words;
using testing::train;

std::vector<std::string> asked(const Outcome& outcome) {
  std::vector<std::string> places;
  for (const Fault& fault : outcome.faults) places.push_back(fault.asked);
  return places;
}

TEST(Files, AllFaultsAtOnceWithTheirLines) {
  const Outcome outcome = train(
      "learning_rte: 1e-4\n"
      "\tbf16: true\n"
      "seed:7\n"
      "lora_rank: none\n"
      "train: {learning_rate: 1e-4}\n"
      "Learning_Rate: 1e-4\n"
      "num_train_epochs = 3\n"
      "warmup-ratio: 0.1\n"
      "mixture_of_depths: convert\n");
  EXPECT_EQ(asked(outcome),
            (std::vector<std::string>{
                "base.yaml, line 5", "base.yaml, line 6", "base.yaml, line 10",
                "learning_rte (base.yaml, line 4)", "train (base.yaml, line 8)",
                "Learning_Rate (base.yaml, line 9)", "warmup-ratio (base.yaml, line 11)",
                "mixture_of_depths: 'convert' (base.yaml, line 12)",
                "lora_rank: 'none' (base.yaml, line 7)"}))
      << outcome.fault_text;
}

TEST(Files, SlipsAreMendedOnlyWhereTheyAreSlips) {
  const Outcome outcome = train(
      "# lora_rank:8\n"
      "default_system: |\n"
      "  seed:7\n"
      "  \ttab\n"
      "lora_target: [\n"
      "\tq_proj,\n"
      "\tv_proj]\n"
      "run_name: a:b=c # d:e\n"
      "\n"
      "\t\n"
      "output_dir: 'x: y'\n");
  EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
  EXPECT_EQ(outcome.result.settings.data.default_system, "seed:7\n\ttab\n");
  EXPECT_EQ(outcome.result.settings.finetuning.lora_target,
            (std::vector<std::string>{"q_proj", "v_proj"}));
  EXPECT_EQ(outcome.result.settings.training.run_name, "a:b=c");
  EXPECT_EQ(outcome.result.settings.training.output_dir, "x: y");
}

TEST(Files, ByteOrderMarksAndLineEndsOfWindows) {
  const Outcome outcome =
      read_text(Command::train,
                "\xEF\xBB\xBFmodel_name_or_path: m\r\ndataset: d\r\ndo_train: true\r\nseed: 7\r\n");
  EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
  EXPECT_EQ(outcome.result.settings.training.seed, 7);
  EXPECT_EQ(outcome.result.settings.model.model_name_or_path, "m");
  const std::string utf16("\xFF\xFEs\0e\0", 6);
  EXPECT_NE(read_text(Command::train, utf16).fault_text.find("UTF-16"), std::string::npos);
}

TEST(Files, JsonHasLinesToo) {
  const std::string text =
      "{\n"
      "  \"model_name_or_path\": \"m\", \"dataset\": [\"d\", \"e\"],\n"
      "  \"do_train\": true,\n"
      "\t\"learning_rate\": 1e-4,\n"
      "  \"deepspeed\": null,\n"
      "  \"run_name\": \"a: \\\"}{\",\n"
      "  \"max_steps\": 1e3,\n"
      "  \"bf16\": \"maybe\"\n"
      "}\n";
  const Outcome outcome = read_text(Command::train, text, {}, "base.json");
  EXPECT_EQ(asked(outcome), std::vector<std::string>{"bf16: 'maybe' (base.json, line 8)"});
  EXPECT_EQ(outcome.result.settings.training.learning_rate, 1e-4);
  EXPECT_EQ(outcome.result.settings.training.max_steps, 1000);
  EXPECT_EQ(outcome.result.settings.training.run_name, "a: \"}{");
  EXPECT_EQ(outcome.result.settings.data.dataset, (std::vector<std::string>{"d", "e"}));
  EXPECT_EQ(outcome.result.origins.at("learning_rate").place, "base.json, line 4");
}

TEST(Files, OtherTopLevels) {
  EXPECT_EQ(read_text(Command::train, "- a\n- b\n").faults.at(0).found,
            "a list instead of settings");
  EXPECT_EQ(read_text(Command::train, "just words\n").faults.at(0).found,
            "a value instead of settings");
  EXPECT_EQ(read_text(Command::train, "[1]", {}, "base.json").faults.at(0).found,
            "a list instead of settings");
  // An empty file is read to its end: then the settings that a run needs are missing.
  const Outcome empty = read_text(Command::train, "# nothing\n");
  EXPECT_EQ(asked(empty),
            (std::vector<std::string>{"model_name_or_path (not given)", "do_train (not given)"}));
}

TEST(Files, BrokenOnesDoNotReportWhatMayStandInThem) {
  const Outcome outcome = read_text(Command::train, "a: [1\nb: 2\n", {"--seed", "x"});
  ASSERT_EQ(outcome.faults.size(), 2U) << outcome.fault_text;
  EXPECT_NE(outcome.faults[0].asked.find("base.yaml"), std::string::npos);
  EXPECT_EQ(outcome.faults[1].asked, "seed: 'x' (command line)");
}

TEST(Files, AbsentOnesAreNamedInFull) {
  const Outcome outcome = read_words(Command::train, {"/nowhere/nofile.yaml"});
  ASSERT_EQ(outcome.faults.size(), 1U) << outcome.fault_text;
  EXPECT_NE(outcome.fault_text.find("/nowhere/nofile.yaml"), std::string::npos);
}

TEST(Files, OneSettingTwice) {
  const Outcome outcome = train("eval_strategy: steps\nval_size: 0.1\nevaluation_strategy: no\n");
  ASSERT_EQ(outcome.faults.size(), 1U) << outcome.fault_text;
  EXPECT_EQ(outcome.faults[0].asked, "evaluation_strategy (base.yaml, line 6)");
  EXPECT_EQ(outcome.faults[0].found, "the same setting as eval_strategy (base.yaml, line 4)");
  EXPECT_NE(train("seed: 1\nseed: 2\n").fault_text.find("seed"), std::string::npos);
}

TEST(Files, HostileTextsEndInFaults) {
  const std::string deep(10000, '[');
  for (const std::string& text :
       {"a: " + deep, std::string(5 << 20, 'x'), std::string("a: \xFF\xFE\n"),
        std::string("a: b\0c\n", 7), std::string("? [x]\n: y\n"), std::string("a: *b\n"),
        std::string("&a [*a]\n"), std::string(3 << 20, 'k') + ": 1\n",
        std::string("--- a\n--- b\n"), std::string("seed: !!python/object 1\n"),
        std::string("{a: {b: {c: d}}}\n")}) {
    const Outcome outcome = read_text(Command::train, text);
    EXPECT_FALSE(outcome.faults.empty()) << text.substr(0, 40);
    EXPECT_LT(outcome.fault_text.size(), 2000U);
  }
}

TEST(Files, SecretsAreNeverShown) {
  const Outcome outcome =
      train("hf_hub_token: hf_abc\nhub_token:hf_abc\nswanlab_api_key: [hf_abc, x]\n",
            {"ms_hub_token", "hf_abc", "--om_hub_token", "${hf_abc}"});
  EXPECT_EQ(outcome.faults.size(), 4U) << outcome.fault_text;
  EXPECT_EQ((outcome.fault_text + outcome.notices()).find("hf_abc"), std::string::npos)
      << outcome.fault_text << outcome.notices();
}

}  // namespace
}  // namespace hone::config
