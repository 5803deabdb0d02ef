// Values recorded from LLaMA-Factory's functions.
#include "data/encoding/supervised.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "base/error.h"

namespace hone::data {
namespace {

using Ids = std::vector<std::int32_t>;

// Words stand for ids: one letter is its code, "_" is kIgnoreLabel, others are numbered.
std::int32_t id(const std::string& word) {
  static std::map<std::string, std::int32_t> numbers;
  if (word == "_") return kIgnoreLabel;
  if (word.size() == 1) return word[0];
  return numbers.emplace(word, 1000 + static_cast<std::int32_t>(numbers.size())).first->second;
}

Ids ids(const std::string& words) {
  std::istringstream stream(words);
  Ids list;
  for (std::string word; stream >> word;) list.push_back(id(word));
  return list;
}

// "ab" -> "cd", "ef" -> "gh" under a template with BOS in front and EOS in its answers.
std::vector<EncodedTurn> plain_turns() {
  return {{ids("bos U a b A"), ids("c d eos")}, {ids("U e f A"), ids("g h eos")}};
}

// The same under a template whose answers have no terminator (efficient_eos).
std::vector<EncodedTurn> efficient_turns() {
  return {{ids("mask sop user nl a b bot"), ids("nl c d")},
          {ids("user nl e f bot"), ids("nl g h")}};
}

void expect_record(const std::vector<EncodedTurn>& turns, const SupervisedOptions& options,
                   bool efficient, const std::string& tokens, const std::string& labels) {
  const auto eos = efficient ? std::optional(id("eos")) : std::nullopt;
  const LabelledRecord record = label_turns(turns, options, eos);
  EXPECT_EQ(record.example.tokens, ids(tokens));
  EXPECT_EQ(record.example.labels, ids(labels));
  std::size_t all = efficient ? 1 : 0;
  for (const EncodedTurn& turn : turns) all += turn.prompt.size() + turn.response.size();
  EXPECT_EQ(record.cut_tokens, static_cast<std::int64_t>(all - ids(tokens).size()));
}

SupervisedOptions cutoff(std::int64_t tokens) {
  SupervisedOptions options;
  options.cutoff_len = tokens;
  return options;
}

TEST(LabelTurns, AnswersAreLearned) {
  expect_record(plain_turns(), {}, false, "bos U a b A c d eos U e f A g h eos",
                "_ _ _ _ _ c d eos _ _ _ _ g h eos");
}

TEST(LabelTurns, MaskHistoryLearnsTheLastAnswer) {
  SupervisedOptions options;
  options.mask_history = true;
  expect_record(plain_turns(), options, false, "bos U a b A c d eos U e f A g h eos",
                "_ _ _ _ _ _ _ _ _ _ _ _ g h eos");
  options.cutoff_len = 12;
  expect_record(plain_turns(), options, false, "bos U a b c U e f A g h eos",
                "_ _ _ _ _ _ _ _ _ g h eos");
}

TEST(LabelTurns, TrainOnPromptLearnsAll) {
  SupervisedOptions options;
  options.train_on_prompt = true;
  expect_record(plain_turns(), options, false, "bos U a b A c d eos U e f A g h eos",
                "bos U a b A c d eos U e f A g h eos");
}

TEST(LabelTurns, CutsKeepTheFirstIds) {
  expect_record(plain_turns(), cutoff(12), false, "bos U a b A c d eos U e f g",
                "_ _ _ _ _ c d eos _ _ _ g");
  expect_record(plain_turns(), cutoff(8), false, "bos U a b A c d eos", "_ _ _ _ _ c d eos");
  expect_record(plain_turns(), cutoff(5), false, "bos U a b c", "_ _ _ _ c");
}

TEST(LabelTurns, EfficientEosLabelsTheNextPrompt) {
  expect_record(efficient_turns(), {}, true,
                "mask sop user nl a b bot nl c d user nl e f bot nl g h eos",
                "_ _ _ _ _ _ _ nl c d eos _ _ _ _ nl g h eos");
  expect_record(efficient_turns(), cutoff(12), true, "mask sop user nl a b bot nl c d user eos",
                "_ _ _ _ _ _ _ nl c d eos eos");
  expect_record(efficient_turns(), cutoff(8), true, "mask sop user nl nl c d eos",
                "_ _ _ _ nl c d eos");
}

// LLaMA-Factory counts turns from the end here, so the label falls on the very first token.
TEST(LabelTurns, EfficientEosWithMaskHistory) {
  SupervisedOptions options;
  options.mask_history = true;
  expect_record(efficient_turns(), options, true,
                "mask sop user nl a b bot nl c d user nl e f bot nl g h eos",
                "eos _ _ _ _ _ _ _ _ _ _ _ _ _ _ nl g h eos");
}

TEST(LabelTurns, EmptyParts) {
  expect_record({{{}, {}}}, {}, false, "", "");
  expect_record({{{}, ids("a")}, {{}, ids("b")}}, {}, true, "a b eos", "a b eos");
  expect_record({{ids("a"), {}}}, {}, false, "a", "_");
  expect_record({}, cutoff(1), true, "eos", "eos");
}

TEST(ShareCutoff, RecordedValues) {
  const std::int64_t cases[][5] = {
      // source, target, cutoff -> source, target
      {3000, 2000, 1000, 600, 400},
      {2000, 3000, 1000, 400, 600},
      {1000, 100, 1000, 900, 100},
      {100, 1000, 1000, 100, 900},
      {100, 500, 1000, 100, 500},
      {500, 100, 1000, 500, 100},
      {10, 10, 1000, 10, 10},
      {7, 3, 5, 4, 1},
      {3, 7, 5, 2, 3},
      {5, 5, 5, 3, 2},
      {10, 1, 1, 1, 0},
      {0, 5, 3, 0, 3},
      {120, 62, 200, 120, 62},
      {120, 62, 181, 119, 62},
      {120, 62, 128, 66, 62},
      {120, 62, 125, 63, 62},
      {120, 62, 124, 82, 42},
      {120, 62, 64, 43, 21},
      {120, 62, 32, 22, 10},
      {120, 62, 4, 3, 1},
      {120, 62, 2, 2, 0},
      {20, 202, 64, 20, 44},
      {20, 202, 41, 20, 21},
      {20, 202, 40, 4, 36},
      {20, 3, 23, 20, 3},
      {20, 3, 22, 19, 3},
      {20, 3, 7, 4, 3},
      {20, 3, 6, 6, 0},
  };
  for (const auto& [source, target, limit, kept_source, kept_target] : cases) {
    const TurnBudget kept = share_cutoff(source, target, limit);
    EXPECT_EQ(kept.source, kept_source) << source << " " << target << " " << limit;
    EXPECT_EQ(kept.target, kept_target) << source << " " << target << " " << limit;
  }
}

TEST(ShareCutoff, NeverMoreThanThereIsOrFits) {
  for (std::int64_t source = 0; source < 40; ++source) {
    for (std::int64_t target = 0; target < 40; ++target) {
      for (std::int64_t limit = 1; limit < 90; ++limit) {
        const TurnBudget kept = share_cutoff(source, target, limit);
        EXPECT_LE(kept.source, source);
        EXPECT_LE(kept.target, target);
        EXPECT_EQ(kept.source + kept.target, std::min(limit, source + target));
      }
    }
  }
}

}  // namespace
}  // namespace hone::data
