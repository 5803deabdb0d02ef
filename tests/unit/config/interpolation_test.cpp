// ${...} in values. What OmegaConf 2.3 makes of the same texts was recorded with its
// to_container(resolve=True).
#include <gtest/gtest.h>

#include "config/effective.h"
#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::Outcome;

Outcome train(const std::string& lines, const std::vector<std::string>& words = {}) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.path() + "base.yaml") << testing::least() + lines;
  Request request;
  request.words = {folder.path() + "base.yaml"};
  request.words.insert(request.words.end(), words.begin(), words.end());
  request.environment = [](const std::string& name) -> std::optional<std::string> {
    if (name == "PLACE") return "/data";
    if (name == "RATE") return "1e-3";
    if (name == "HF_TOKEN") return "hf_abc";
    return std::nullopt;
  };
  return testing::read(std::move(request), folder.path());
}

Settings settings(const std::string& lines, const std::vector<std::string>& words = {}) {
  const Outcome outcome = train(lines, words);
  EXPECT_EQ(outcome.fault_text, "");
  return outcome.result.settings;
}

TEST(Interpolation, OtherSettingsAndTheEnvironment) {
  EXPECT_EQ(settings("seed: 7\noutput_dir: out/${seed}-${.lora_rank}/x\nlora_rank: 4\n")
                .training.output_dir,
            "out/7-4/x");
  EXPECT_EQ(settings("output_dir: ${oc.env:PLACE}/out\n").training.output_dir, "/data/out");
  EXPECT_EQ(settings("learning_rate: ${oc.env:RATE}\n").training.learning_rate, 1e-3);
  EXPECT_EQ(settings("output_dir: ${oc.env:NOPE, here}\n").training.output_dir, "here");
  EXPECT_EQ(settings("output_dir: \"${model_name_or_path}\"\n").training.output_dir, "m");
  EXPECT_EQ(settings("output_dir: out/\\${seed}\n").training.output_dir, "out/${seed}");
  EXPECT_EQ(settings("output_dir: $HOME/$m\n").training.output_dir, "$HOME/$m");
}

TEST(Interpolation, TakesTheWholeOfAnotherValue) {
  const Settings lists =
      settings("lora_target: [q_proj, v_proj]\nadditional_target: ${lora_target}\n");
  EXPECT_EQ(lists.finetuning.additional_target, lists.finetuning.lora_target);
  EXPECT_EQ(
      settings("lora_target: [q_proj, '${run_name}_proj']\nrun_name: o\n").finetuning.lora_target,
      (std::vector<std::string>{"q_proj", "o_proj"}));
  EXPECT_EQ(settings("max_samples: null\nlora_alpha: ${max_samples}\n").finetuning.lora_alpha, 16);
  EXPECT_EQ(settings("lora_alpha: ${oc.env:NOPE,null}\n").finetuning.lora_alpha, 16);
}

TEST(Interpolation, FollowsChainsAndTheCommandLine) {
  const Settings chained =
      settings("seed: ${data_seed}\ndata_seed: ${lora_rank}\nlora_rank: 3\n",
               {"lora_rank=5", "run_name=r${seed}", "--output_dir", "o${seed}"});
  EXPECT_EQ(chained.training.seed, 5);
  EXPECT_EQ(chained.training.run_name, "r5");
  EXPECT_EQ(chained.training.output_dir, "o5");
  const Outcome shown = train("seed: 3\noutput_dir: out/${seed}\n");
  EXPECT_NE(to_text(effective_settings(shown.result)).find("out/3"), std::string::npos);
}

struct Refused {
  const char* lines;
  const char* text;
};

class BadInterpolation : public ::testing::TestWithParam<Refused> {};

TEST_P(BadInterpolation, IsRefusedInWords) {
  EXPECT_EQ(train(GetParam().lines).fault_text, GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, BadInterpolation,
    ::testing::Values(
        Refused{"seed: 1\noutput_dir: out/${sed}\n",
                "output_dir: 'out/${sed}' (base.yaml, line 5)\n"
                "  found: ${sed}, and no setting of that name is given (did you mean 'seed'?)\n"
                "  to do: give sed, or write ${oc.env:sed} for an environment variable\n"},
        Refused{"output_dir: ${oc.env:NOPE}\n",
                "output_dir: '${oc.env:NOPE}' (base.yaml, line 4)\n"
                "  found: the environment variable NOPE, which is not set\n"
                "  to do: set it, or write ${oc.env:NOPE,default}\n"},
        Refused{"output_dir: ${seed\n",
                "output_dir: '${seed' (base.yaml, line 4)\n"
                "  found: a ${ without its }\n"
                "  to do: close it, or write \\${ for the characters themselves\n"},
        Refused{"output_dir: ${oc.decode:1}\n",
                "output_dir: '${oc.decode:1}' (base.yaml, line 4)\n"
                "  found: ${oc.decode:1}, which is not replaced here\n"
                "  to do: write the value itself; ${setting} and ${oc.env:NAME} are replaced\n"},
        Refused{"lora_target: [a, b]\noutput_dir: x${lora_target}\n",
                "output_dir: 'x${lora_target}' (base.yaml, line 5)\n"
                "  found: ${lora_target} within a text, and it is not one plain value\n"
                "  to do: let it stand for a plain value\n"},
        Refused{"output_dir: x${max_samples}\nmax_samples: null\n",
                "output_dir: 'x${max_samples}' (base.yaml, line 4)\n"
                "  found: ${max_samples} within a text, and it is null\n"
                "  to do: let it stand for a plain value\n"},
        Refused{"seed: ${data_seed}\ndata_seed: ${seed}\n",
                "seed: '${data_seed}' (base.yaml, line 4)\n"
                "  found: settings that stand for each other in a circle\n"
                "  to do: write the value of one of them\n"
                "data_seed: '${seed}' (base.yaml, line 5)\n"
                "  found: settings that stand for each other in a circle\n"
                "  to do: write the value of one of them\n"},
        Refused{"seed: ${nope}\ndata_seed: ${seed}\n",
                "seed: '${nope}' (base.yaml, line 4)\n"
                "  found: ${nope}, and no setting of that name is given\n"
                "  to do: give nope, or write ${oc.env:nope} for an environment variable\n"
                "data_seed: '${seed}' (base.yaml, line 5)\n"
                "  found: it stands for seed, which could not be made out\n"
                "  to do: correct that one first\n"},
        Refused{"output_dir: ${output_dir}\n",
                "output_dir: '${output_dir}' (base.yaml, line 4)\n"
                "  found: settings that stand for each other in a circle\n"
                "  to do: write the value of one of them\n"}));

TEST(Interpolation, WhatIsPutInIsReadAsIfItStoodThere) {
  EXPECT_EQ(train("run_name: x\nlearning_rate: ${run_name}\n").fault_text,
            "learning_rate: 'x' (base.yaml, line 5)\n"
            "  found: not a number\n"
            "  to do: write a number such as 1.0e-5\n");
  // Nothing follows from a value that could not be made out.
  EXPECT_EQ(train("output_dir: ${nope}\neval_strategy: ${nope}\n").faults.size(), 2u);
}

TEST(Interpolation, SecretsGoIntoSecretsAlone) {
  const Outcome good = train("hf_hub_token: ${oc.env:HF_TOKEN}\nhub_token: ${hf_hub_token}\n");
  EXPECT_EQ(good.fault_text, "");
  EXPECT_EQ(good.notices().find("hf_abc"), std::string::npos) << good.notices();
  const Outcome shown = train(
      "run_name: ${oc.env:HF_TOKEN}\nhub_token: t\noutput_dir: ${hub_token}\n"
      "ms_hub_token: ${hf_abc}\n");
  EXPECT_EQ(shown.fault_text,
            "run_name: '${oc.env:HF_TOKEN}' (base.yaml, line 4)\n"
            "  found: HF_TOKEN, a secret, which would be shown and saved here\n"
            "  to do: use it for the setting that takes it, such as hf_hub_token\n"
            "output_dir: '${hub_token}' (base.yaml, line 6)\n"
            "  found: ${hub_token}, a secret, which would be shown and saved here\n"
            "  to do: use it for the setting that takes it, such as hf_hub_token\n"
            "ms_hub_token: '(hidden)' (base.yaml, line 7)\n"
            "  found: a ${...} that cannot be replaced\n"
            "  to do: write the value itself, or ${oc.env:NAME} of a variable that is set\n");
}

}  // namespace
}  // namespace hone::config
