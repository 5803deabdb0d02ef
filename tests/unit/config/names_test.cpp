#include <gtest/gtest.h>

#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::Outcome;
using testing::read_text;
using testing::train;

struct NameCase {
  const char* name;
  const char* remedy;
};

class UnknownName : public ::testing::TestWithParam<NameCase> {};

TEST_P(UnknownName, IsRefusedWithTheNearest) {
  const Outcome outcome = train(std::string(GetParam().name) + ": 1\n");
  ASSERT_EQ(outcome.faults.size(), 1U) << outcome.fault_text;
  EXPECT_EQ(outcome.faults[0].asked, std::string(GetParam().name) + " (base.yaml, line 4)");
  EXPECT_EQ(outcome.faults[0].remedy, GetParam().remedy);
}

INSTANTIATE_TEST_SUITE_P(Kinds, UnknownName,
                         ::testing::Values(NameCase{"learning_rte", "did you mean learning_rate?"},
                                           NameCase{"lora_rnak", "did you mean lora_rank?"},
                                           NameCase{"Learning_Rate", "did you mean learning_rate?"},
                                           NameCase{"learning-rate", "did you mean learning_rate?"},
                                           NameCase{"qqqqqqq",
                                                    "remove it; `hone help` lists the settings"}));

TEST(Names, ExtraSettingsAreWarningsWhereAllowed) {
  const Outcome outcome = read_text(Command::chat,
                                    "model_name_or_path: m\n"
                                    "learning_rte: 1\nlearning_rate: 1\n",
                                    {"--nonsense", "5", "--xyz_switch"}, "base.yaml", true);
  EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
  EXPECT_EQ(outcome.notices(),
            "learning_rte (base.yaml, line 2) is not known; it is ignored, since extra settings "
            "are allowed\n"
            "learning_rate (base.yaml, line 3) is not a setting of this command; it is ignored, "
            "since extra settings are allowed\n"
            "--nonsense (command line) is not known; it is ignored, since extra settings are "
            "allowed\n"
            "--xyz_switch (command line) is not known; it is ignored, since extra settings are "
            "allowed\n");
  for (const Notice& notice : outcome.result.notices) {
    EXPECT_EQ(notice.severity, Severity::warning);
  }
}

TEST(Names, OlderNamesAreRead) {
  const Outcome outcome = train("evaluation_strategy: steps\nval_size: 0.1\nno_cuda: true\n");
  EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
  EXPECT_EQ(outcome.result.settings.training.eval_strategy, Strategy::steps);
  EXPECT_EQ(outcome.result.settings.machine.device, "cpu");
  EXPECT_EQ(outcome.notices(),
            "evaluation_strategy (base.yaml, line 4) is read as eval_strategy, its name here\n"
            "no_cuda (base.yaml, line 6) is read as use_cpu, its name here\n");
}

TEST(Names, OfOtherCommandsAreForeign) {
  const std::string text = "model_name_or_path: m\nexport_dir: out\nlearning_rate: 1e-4\n";
  const Outcome outcome = read_text(Command::export_model, text, {}, "export.yaml");
  ASSERT_EQ(outcome.faults.size(), 1U) << outcome.fault_text;
  EXPECT_EQ(outcome.faults[0].asked, "learning_rate (export.yaml, line 3)");
  EXPECT_EQ(outcome.faults[0].found, "a setting of train, plan, which export does not take");
  EXPECT_EQ(outcome.faults[0].remedy, "remove it, or run `hone train`");
  EXPECT_EQ(train("task: mmlu\n").faults.at(0).found,
            "a setting for benchmarks, which are not in this version");
}

TEST(Names, EveryCommandTakesWhatIsItsOwn) {
  const std::string text =
      "model_name_or_path: m\ntemplate: llama3\nfinetuning_type: lora\ntemperature: 0.5\n"
      "threads: 2\nexport_dir: out\n";
  for (Command command : {Command::chat, Command::export_model}) {
    const Outcome outcome = read_text(command, text);
    EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
    EXPECT_EQ(outcome.result.settings.data.template_name, "llama3");
  }
}

}  // namespace
}  // namespace hone::config
