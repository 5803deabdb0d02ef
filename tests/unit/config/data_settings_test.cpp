// Packing and mixing: what follows from what, and what does not go together.
#include <gtest/gtest.h>

#include "config/settings/probabilities.h"
#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::train;

// "packing cutoff_len" as they are when settings are complete.
std::string packed(const std::string& lines) {
  const testing::Outcome outcome = train(lines);
  EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
  const DataSettings& data = outcome.result.settings.data;
  return (data.packing.value() ? "packed " : "apart ") + std::to_string(data.cutoff_len);
}

TEST(PackingSettings, TakesATokenOfTheCutoffWhereItIsAskedFor) {
  EXPECT_EQ(packed("cutoff_len: 64\n"), "apart 64");
  EXPECT_EQ(packed("cutoff_len: 64\npacking: false\n"), "apart 64");
  EXPECT_EQ(packed("cutoff_len: 64\npacking: true\n"), "packed 63");
  EXPECT_EQ(packed("cutoff_len: 64\nneat_packing: true\n"), "packed 63");
  EXPECT_EQ(packed("cutoff_len: 64\nneat_packing: true\npacking: false\n"), "packed 63");
  EXPECT_EQ(packed("cutoff_len: 2\npacking: true\n"), "packed 1");
  EXPECT_EQ(packed("stage: pt\ncutoff_len: 64\n"), "packed 64");
  EXPECT_EQ(packed("stage: pt\ncutoff_len: 64\npacking: true\n"), "packed 63");
  EXPECT_EQ(packed("stage: pt\ncutoff_len: 64\npacking: false\n"), "apart 64");
}

TEST(PackingSettings, WhatDoesNotGoTogether) {
  EXPECT_EQ(train("packing: true\ncutoff_len: 1\n").fault_text,
            "cutoff_len: '1' (base.yaml, line 5), packing: 'true' (base.yaml, line 4)\n"
            "  found: packing takes one token of cutoff_len, and none is left\n"
            "  to do: set a larger cutoff_len\n");
  EXPECT_EQ(train("stage: pt\nneat_packing: true\n").fault_text,
            "neat_packing: 'true' (base.yaml, line 5), stage: 'pt' (base.yaml, line 4)\n"
            "  found: texts are cut into blocks, in which nothing is kept apart\n"
            "  to do: leave neat_packing out, or set packing: false for each text by itself\n");
}

TEST(PackingSettings, WorkersMatterToPacksAlone) {
  EXPECT_NE(
      train("preprocessing_num_workers: 16\n")
          .notices()
          .find("preprocessing_num_workers: '16' (base.yaml, line 4) has no effect: records are "
                "prepared in parallel"),
      std::string::npos);
  EXPECT_EQ(train("preprocessing_num_workers: 16\npacking: true\n").notices().find("no effect"),
            std::string::npos);
}

TEST(MixingSettings, WhatDoesNotGoTogether) {
  EXPECT_EQ(train("interleave_probs: 0.5,0.5\n").fault_text,
            "interleave_probs: '0.5,0.5' (base.yaml, line 4), mix_strategy: 'concat' (default)\n"
            "  found: shares for a mix by turns, and data sets one after another\n"
            "  to do: set mix_strategy: interleave_under or interleave_over, or leave it out\n");
  EXPECT_EQ(train("mix_strategy: interleave_over\ninterleave_probs: 0.5,0.5\n").fault_text,
            "interleave_probs: '0.5,0.5' (base.yaml, line 5), dataset: 'd' (base.yaml, line 2)\n"
            "  found: 2 shares for 1 data sets\n"
            "  to do: give one share for each data set\n");
  EXPECT_EQ(
      train("mix_strategy: interleave_over\ninterleave_probs: 1\neval_dataset: a,b\n").fault_text,
      "interleave_probs: '1' (base.yaml, line 5), eval_dataset: 'a,b' (base.yaml, line 6)\n"
      "  found: 1 shares for 2 data sets\n"
      "  to do: give one share for each data set\n");
  EXPECT_EQ(train("mix_strategy: interleave_over\ninterleave_probs: 0.9\n").fault_text,
            "interleave_probs: '0.9' (base.yaml, line 5)\n"
            "  found: the shares add up to 0.9\n"
            "  to do: give every data set a share from 0 to 1, 1 in all\n");
}

TEST(StreamingSettings, WhatDoesNotGoTogether) {
  const auto found = [](const std::string& lines, const std::vector<std::string>& words = {}) {
    const auto faults = train("streaming: true\n" + lines, words).faults;
    return faults.size() == 1 ? faults[0].found : std::to_string(faults.size()) + " faults";
  };
  EXPECT_EQ(found("max_steps: 5\n"), "0 faults");
  EXPECT_EQ(found("max_steps: 5\nval_size: 100\n"), "0 faults");
  EXPECT_EQ(found(""), "a stream whose length is not known, and no number of steps");
  EXPECT_EQ(found("max_steps: 5\nmax_samples: 9\n"),
            "the first records of each data set, and a stream");
  EXPECT_EQ(found("max_steps: 5\nval_size: 0.1\n"),
            "a fraction of a stream whose length is not known");
  EXPECT_EQ(found("max_steps: 5\nmix_strategy: interleave_over\n", {"dataset=a,b"}), "0 faults");
  for (const char* good : {"packing: true\n", "neat_packing: true\n", "stage: pt\n",
                           "stage: pt\npacking: false\n", "tokenized_path: p\n"}) {
    EXPECT_EQ(found("max_steps: 5\n" + std::string(good)), "0 faults") << good;
  }
}

TEST(TextSettings, HaveNeitherPromptsNorTurns) {
  EXPECT_EQ(train("stage: pt\ntrain_on_prompt: true\n").fault_text,
            "train_on_prompt: 'true' (base.yaml, line 5), stage: 'pt' (base.yaml, line 4)\n"
            "  found: texts, which have no prompts\n"
            "  to do: leave it out: every token of a text is learned, but padding\n");
  EXPECT_EQ(train("stage: pt\nmask_history: true\n").fault_text,
            "mask_history: 'true' (base.yaml, line 5), stage: 'pt' (base.yaml, line 4)\n"
            "  found: texts, which have no turns\n"
            "  to do: leave it out: every token of a text is learned, but padding\n");
}

TEST(MixingSettings, Shares) {
  EXPECT_EQ(fault_of_probabilities({"0.1", "0.9"}), "");
  EXPECT_EQ(fault_of_probabilities({"-0.5", "1.5"}), "'-0.5' is not a share from 0 to 1");
  EXPECT_EQ(fault_of_probabilities({"half", "0.5"}), "'half' is not a share from 0 to 1");
  EXPECT_EQ(fault_of_probabilities({".nan", "1"}), "'.nan' is not a share from 0 to 1");
  EXPECT_EQ(probabilities_of({"0.25", "7.5e-1"}), (std::vector<double>{0.25, 0.75}));
}

}  // namespace
}  // namespace hone::config
