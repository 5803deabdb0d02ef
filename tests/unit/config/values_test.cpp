#include <gtest/gtest.h>

#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::Outcome;
using testing::read_text;
using testing::train;

TEST(Booleans, WordsInAnyCaseEverywhere) {
  for (const char* no : {"False", "false", "FALSE", "0", "no", "No", "n", "f", "off"}) {
    for (const Outcome& outcome : {train("", {"--overwrite_output_dir", no}),
                                   train("", {"--overwrite_output_dir=" + std::string(no)}),
                                   train("", {"overwrite_output_dir=" + std::string(no)}),
                                   train("overwrite_output_dir: " + std::string(no) + "\n"),
                                   train("overwrite_output_dir: \"" + std::string(no) + "\"\n")}) {
      EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
      EXPECT_FALSE(outcome.result.settings.training.overwrite_output_dir) << no;
      EXPECT_EQ(outcome.result.origins.count("overwrite_output_dir"), 1U);
    }
  }
  for (const char* yes : {"True", "true", "1", "yes", "y", "T", "on"}) {
    EXPECT_TRUE(train("bf16: " + std::string(yes) + "\n").result.settings.training.bf16) << yes;
    EXPECT_TRUE(train("", {"--bf16", yes}).result.settings.training.bf16) << yes;
  }
}

TEST(Booleans, SwitchesStandAlone) {
  EXPECT_TRUE(train("", {"--bf16"}).result.settings.training.bf16);
  EXPECT_TRUE(train("", {"--bf16", "--plot_loss"}).result.settings.training.bf16);
  EXPECT_TRUE(train("", {"--bf16", "plot_loss=true"}).result.settings.training.bf16);
  const Outcome off = train("", {"--no_ignore_pad_token_for_loss", "--no-do-sample"});
  EXPECT_FALSE(off.result.settings.data.ignore_pad_token_for_loss);
  EXPECT_FALSE(off.result.settings.generation.do_sample);
  EXPECT_TRUE(off.faults.empty()) << off.fault_text;
}

TEST(Booleans, OtherWordsAreRefused) {
  for (const Outcome& outcome : {train("", {"--bf16", "maybe"}), train("bf16: maybe\n"),
                                 train("bf16: 2\n"), train("bf16: \"\"\n")}) {
    ASSERT_EQ(outcome.faults.size(), 1U) << outcome.fault_text;
    EXPECT_EQ(outcome.faults[0].found, "neither true nor false");
    EXPECT_FALSE(outcome.result.settings.training.bf16);
  }
}

TEST(Choices, ReadAndRefused) {
  const TrainingSettings training =
      train("lr_scheduler_type: cosine\noptim: adamw_bf16\nsave_strategy: epoch\n")
          .result.settings.training;
  EXPECT_EQ(training.lr_scheduler_type, ScheduleKind::cosine);
  EXPECT_EQ(training.optim, OptimizerKind::adamw_bf16);
  EXPECT_EQ(training.save_strategy, Strategy::epoch);
  EXPECT_EQ(train("optim: adamw_torch_fused\n").result.settings.training.optim,
            OptimizerKind::adamw);
  EXPECT_EQ(train("lr_scheduler_type: cosin\n").faults.at(0).remedy,
            "did you mean 'cosine'? Or else, the choices are: linear, cosine, constant, "
            "constant_with_warmup, cosine_with_restarts, polynomial, inverse_sqrt, "
            "reduce_lr_on_plateau, cosine_with_min_lr, cosine_warmup_with_min_lr, "
            "warmup_stable_decay");
}

TEST(Choices, TheWordNoIsTextHowEverItIsWritten) {
  for (const char* written : {"no", "\"no\"", "false", "False", "NO", "off"}) {
    const Outcome outcome = train("save_strategy: " + std::string(written) + "\n");
    EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
    EXPECT_EQ(outcome.result.settings.training.save_strategy, Strategy::no) << written;
  }
  EXPECT_EQ(train("save_strategy: true\n").faults.at(0).found, "none of its choices");
}

TEST(Choices, OldSwitchesThatBecameChoices) {
  using Seen = TokensSeen;
  const auto seen = [](const Outcome& outcome) {
    EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
    return outcome.result.settings.training.include_num_input_tokens_seen;
  };
  EXPECT_EQ(seen(train("include_num_input_tokens_seen: true\n")), Seen::all);
  EXPECT_EQ(seen(train("include_num_input_tokens_seen: false\n")), Seen::no);
  EXPECT_EQ(seen(train("include_num_input_tokens_seen: non_padding\n")), Seen::non_padding);
  EXPECT_EQ(seen(train("", {"--include_num_input_tokens_seen"})), Seen::all);
  const auto resume = [](const std::string& value) {
    return train("resume_from_checkpoint: " + value + "\n")
        .result.settings.training.resume_from_checkpoint;
  };
  EXPECT_EQ(resume("true"), "true");
  EXPECT_EQ(resume("false"), std::nullopt);
  EXPECT_EQ(resume("null"), std::nullopt);
  EXPECT_EQ(resume("out/checkpoint-5"), "out/checkpoint-5");
}

TEST(Lists, CommasAndYamlLists) {
  const std::vector<std::string> expected = {"q_proj", "v_proj"};
  for (const Outcome& outcome :
       {train("lora_target: q_proj,v_proj\n"), train("lora_target: q_proj, v_proj\n"),
        train("lora_target: [q_proj, v_proj]\n"), train("lora_target:\n  - q_proj\n  - v_proj\n"),
        train("", {"lora_target=q_proj,v_proj"}), train("", {"--lora_target", "q_proj,v_proj"}),
        train("", {"lora_target=[q_proj, v_proj]"}),
        train("", {"--lora_target", "[\"q_proj\", \"v_proj\"]"})}) {
    EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
    EXPECT_EQ(outcome.result.settings.finetuning.lora_target, expected);
  }
  EXPECT_EQ(train("lora_target: q_proj,,v_proj\n").faults.at(0).found,
            "an empty name between commas");
  EXPECT_EQ(train("additional_target: \"\"\n").result.settings.finetuning.additional_target,
            std::vector<std::string>());
}

TEST(Lists, NamesAreTrimmedAndKeptAsWritten) {
  const Outcome outcome = train("", {"dataset=d, d"});
  EXPECT_EQ(outcome.result.settings.data.dataset, (std::vector<std::string>{"d", "d"}));
}

TEST(Null, IsTheDefault) {
  const Outcome outcome = train(
      "learning_rate: null\nresume_from_checkpoint: ~\nsave_total_limit:\ndeepspeed: null\n"
      "neftune_noise_alpha: null\n");
  EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
  EXPECT_EQ(outcome.result.settings.training.learning_rate, 5e-5);
  EXPECT_EQ(outcome.result.origins.count("learning_rate"), 0U);
  const Outcome reset = train("learning_rate: 0.1\n", {"learning_rate=null"});
  EXPECT_EQ(reset.result.settings.training.learning_rate, 5e-5);
  EXPECT_EQ(reset.result.origins.at("learning_rate").replaced.at(0), "0.1 (base.yaml, line 4)");
}

TEST(Null, IsAValueOfEnableThinking) {
  EXPECT_EQ(train("").result.settings.data.enable_thinking, true);
  EXPECT_EQ(train("enable_thinking: null\n").result.settings.data.enable_thinking, std::nullopt);
  EXPECT_EQ(train("enable_thinking: false\n").result.settings.data.enable_thinking, false);
}

TEST(Paths, HomeIsExpanded) {
  const Outcome outcome = read_text(Command::train,
                                    "model_name_or_path: ~/m\ndataset: d\ndo_train: true\n"
                                    "output_dir: ~\nadapter_name_or_path: ~/a, /b, c~/d, ~ada/e\n");
  const Settings& settings = outcome.result.settings;
  EXPECT_EQ(settings.model.model_name_or_path, "/home/ada/m");
  EXPECT_EQ(settings.training.output_dir, "trainer_output");  // YAML's ~ alone is null
  EXPECT_EQ(settings.model.adapter_name_or_path,
            (std::vector<std::string>{"/home/ada/a", "/b", "c~/d", "~ada/e"}));
  EXPECT_EQ(train("", {"--output_dir", "~"}).result.settings.training.output_dir, "/home/ada");
}

TEST(Texts, AreTakenAsTheyAre) {
  const auto name = [](const std::vector<std::string>& words) {
    const Outcome outcome = train("", words);
    EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
    return outcome.result.settings.training.run_name;
  };
  EXPECT_EQ(name({"run_name=a=b"}), "a=b");
  EXPECT_EQ(name({"run_name=my run"}), "my run");
  EXPECT_EQ(name({"--run_name", "my run"}), "my run");
  EXPECT_EQ(name({"--run_name=--x"}), "--x");
  EXPECT_EQ(name({"run_name='quoted'"}), "quoted");
  EXPECT_EQ(name({"run_name=[a] 'b"}), "[a] 'b");
  EXPECT_EQ(name({"--run_name", "[a, b]"}), "[a, b]");
  EXPECT_EQ(name({"run_name=a # b"}), "a # b");
  EXPECT_EQ(name({"run_name=1e-5"}), "1e-5");
  EXPECT_EQ(train("default_system: \"\"\n").result.settings.data.default_system, "");
  EXPECT_EQ(train("default_system: |\n  two\n  lines\n").result.settings.data.default_system,
            "two\nlines\n");
}

TEST(Auto, IsUnset) {
  const Outcome outcome = train("micro_step_tokens: auto\nthreads: auto\nmemory_limit: 8GiB\n");
  EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
  EXPECT_EQ(outcome.result.settings.machine.micro_step_tokens, std::nullopt);
  EXPECT_EQ(outcome.result.settings.machine.memory_limit_bytes, 8LL << 30);
  EXPECT_EQ(train("micro_step_tokens: 1536\n").result.settings.machine.micro_step_tokens, 1536);
}

}  // namespace
}  // namespace hone::config
