#include <gtest/gtest.h>

#include "config/reading/command_line.h"
#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::Outcome;
using testing::read_text;
using testing::read_words;
using testing::train;

TEST(CommandLine, EveryFormWinsOverTheFile) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"learning_rate=2e-5"},
                                                {"--learning_rate", "2e-5"},
                                                {"--learning_rate=2e-5"},
                                                {"--learning-rate", "2e-5"},
                                                {"learning_rate=1", "--learning_rate", "2e-5"}}) {
    const Outcome outcome = train("learning_rate: 1.0e-4\n", words);
    EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
    EXPECT_EQ(outcome.result.settings.training.learning_rate, 2e-5);
    const Origin& origin = outcome.result.origins.at("learning_rate");
    EXPECT_EQ(origin.source, Source::command_line);
    EXPECT_EQ(origin.place, "command line");
    EXPECT_EQ(origin.replaced.at(0), "1.0e-4 (base.yaml, line 4)");
  }
}

TEST(CommandLine, WithoutAFile) {
  const Outcome outcome =
      read_words(Command::train, {"--model_name_or_path", "m", "--dataset=d", "--do_train",
                                  "--max_grad_norm", "-1", "--max-steps", "-1"});
  EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
  EXPECT_TRUE(outcome.result.settings.training.do_train);
  EXPECT_EQ(outcome.result.settings.training.max_grad_norm, -1);
}

TEST(CommandLine, FilesByTheirEnds) {
  EXPECT_TRUE(read_text(Command::train, testing::least(), {}, "base.yml").faults.empty());
  EXPECT_TRUE(read_text(Command::train, testing::least(), {}, "a=b.YAML").faults.empty());
  FaultList faults;
  EXPECT_EQ(read_command_line({"run_name=a.yaml"}, faults).config_file, "");
  EXPECT_EQ(read_command_line({"--run_name=a.yaml"}, faults).config_file, "");
  EXPECT_TRUE(faults.empty());
}

struct StrayCase {
  std::vector<std::string> words;
  const char* text;
};

class StrayWords : public ::testing::TestWithParam<StrayCase> {};

TEST_P(StrayWords, AreQuotedWithWhatToDo) {
  const Outcome outcome = train("", GetParam().words);
  EXPECT_EQ(outcome.fault_text, GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, StrayWords,
    ::testing::Values(
        StrayCase{{"learning_rate", "2e-5"},
                  "'learning_rate 2e-5' (command line)\n"
                  "  found: a setting without = or --\n"
                  "  to do: write learning_rate=2e-5 or --learning_rate 2e-5\n"},
        StrayCase{{"bf16", "--plot_loss"},
                  "'bf16' (command line)\n"
                  "  found: a setting without = or --\n"
                  "  to do: write bf16=value or --bf16 value\n"},
        StrayCase{{"--learning_r", "2e-5"},
                  "--learning_r (command line)\n"
                  "  found: no setting has this name\n"
                  "  to do: did you mean learning_rate?\n"},
        StrayCase{{"--logging", "5"},
                  "--logging (command line)\n"
                  "  found: a name cut short\n"
                  "  to do: write one of them whole: logging_strategy, logging_steps, "
                  "logging_first_step, logging_dir, logging_nan_inf_filter\n"},
        StrayCase{{"extra.yaml"},
                  "'extra.yaml' (command line)\n"
                  "  found: a word that belongs to no setting\n"
                  "  to do: one configuration file is read, and it comes first\n"},
        StrayCase{{"run_name=my", "run"},
                  "'run' (command line)\n"
                  "  found: a word that belongs to no setting\n"
                  "  to do: write settings as key=value or --key value, and put quotes around a "
                  "value that holds blanks\n"},
        StrayCase{{" "},
                  "' ' (command line)\n"
                  "  found: a blank where a setting should be\n"
                  "  to do: a backslash that continues a line must be its last character, without "
                  "a blank after it\n"},
        StrayCase{{"--bf16", "# a comment"},
                  "'# a comment' (command line)\n"
                  "  found: a word that belongs to no setting\n"
                  "  to do: the shell takes no comment here; remove it, above all after a "
                  "backslash\n"},
        StrayCase{{"\xE2\x80\x94seed", "7"},
                  "'\xE2\x80\x94seed' (command line)\n"
                  "  found: a word that belongs to no setting\n"
                  "  to do: the dash was changed by a text program; write two of -\n"
                  "'7' (command line)\n"
                  "  found: a word that belongs to no setting\n"
                  "  to do: write settings as key=value or --key value, and put quotes around a "
                  "value that holds blanks\n"},
        StrayCase{{"-bf16"},
                  "'-bf16' (command line)\n"
                  "  found: a word that belongs to no setting\n"
                  "  to do: options begin with two dashes: --bf16\n"},
        StrayCase{{"--seed"},
                  "--seed (command line)\n"
                  "  found: no value after it\n"
                  "  to do: write --seed and its value; a value that begins with -- needs "
                  "--seed=value\n"},
        StrayCase{{"--no_seed"},
                  "--no_seed (command line)\n"
                  "  found: a setting that is not a switch\n"
                  "  to do: write --seed and its value\n"},
        StrayCase{{"lora_target=[q_proj"},
                  "lora_target: '[q_proj' (command line)\n"
                  "  found: a list, map or quoted text that does not end well\n"
                  "  to do: write a plain value, or a list as a,b\n"},
        StrayCase{{"--lo\x1b\xff", "{q_proj"},
                  "lo\\x1b\\xff: '{q_proj' (command line)\n"
                  "  found: a list, map or quoted text that does not end well\n"
                  "  to do: write a plain value, or a list as a,b\n"},
        StrayCase{{"hf_hub_token=\"pass\"word\""},
                  "hf_hub_token: '(hidden)' (command line)\n"
                  "  found: a list, map or quoted text that does not end well\n"
                  "  to do: write a plain value, or a list as a,b\n"}));

TEST(CommandLine, NothingAtAll) {
  EXPECT_EQ(read_words(Command::train, {}).fault_text,
            "hone train\n"
            "  found: no configuration file and no settings\n"
            "  to do: name a file, `hone train my.yaml`, or settings as --key value\n");
}

TEST(CommandLine, BytesThatAreNoText) {
  const Outcome outcome = train("", {"\xFF\x1B[2J", "--\xFF=1", std::string(100000, 'a')});
  EXPECT_EQ(outcome.faults.size(), 3U);
  EXPECT_EQ(outcome.fault_text.find('\x1B'), std::string::npos);
  EXPECT_EQ(outcome.fault_text.find('\xFF'), std::string::npos);
  EXPECT_LT(outcome.fault_text.size(), 1000U);
}

}  // namespace
}  // namespace hone::config
