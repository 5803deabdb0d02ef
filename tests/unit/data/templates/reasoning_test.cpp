// Thoughts in the answers of reasoning templates.
#include <gtest/gtest.h>

#include "data/templates/thoughts.h"
#include "unit/data/templates/template_fixture.h"

namespace hone::data {
namespace {

const std::string kEmpty = "<think>\n\n</think>\n\n";
const std::string kThought = "<think>\nhm\n</think>\n\n";

struct Case {
  const char* name;
  bool thoughts_in_data;
  std::optional<bool> enable_thinking;
  bool discard;
  // What stands at the end of the prompt and at the start of the response, of both turns.
  std::string prompts[2];
  std::string responses[2];
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"none_true", false, true, false, {"", ""}, {kEmpty, kEmpty}},
      {"none_false", false, false, false, {kEmpty, kEmpty}, {"", ""}},
      {"none_null", false, std::nullopt, false, {kEmpty, kEmpty}, {"", ""}},
      {"some_true", true, true, false, {"", ""}, {kThought, kThought}},
      {"some_null", true, std::nullopt, false, {"", ""}, {kThought, kThought}},
      {"some_false", true, false, false, {kEmpty, kEmpty}, {"", ""}},
      {"some_true_discard", true, true, true, {"", ""}, {"", kThought}},
      {"some_null_discard", true, std::nullopt, true, {"", ""}, {"", kThought}},
      {"some_false_discard", true, false, true, {"", kEmpty}, {"", ""}},
      {"none_true_discard", false, true, true, {"", ""}, {"", kEmpty}},
  };
  return all;
}

class Reasoning : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Reasoning, PutsThoughtsWhereTheTableSays) {
  const Case& wanted = cases()[GetParam()];
  const std::string thought = wanted.thoughts_in_data ? kThought : "";
  const Tokenizer tokenizer = b256();
  const Template qwen3 = make_template("qwen3", {.enable_thinking = wanted.enable_thinking});
  const EncodedConversation encoded = qwen3.encode_multiturn(
      tokenizer, talk({"Q1", thought + "A1", "Q2", thought + "A2"}), wanted.discard);
  for (std::size_t turn = 0; turn < 2; ++turn) {
    const std::string number = std::to_string(turn + 1);
    EXPECT_EQ(tokenizer.decode(encoded.turns[turn].prompt, false),
              "<|im_start|>user\nQ" + number + "<|im_end|>\n<|im_start|>assistant\n" +
                  wanted.prompts[turn]);
    EXPECT_EQ(tokenizer.decode(encoded.turns[turn].response, false),
              wanted.responses[turn] + "A" + number + "<|im_end|>\n");
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Reasoning, ::testing::Range<std::size_t>(0, 10),
                         [](const auto& index) { return std::string(cases()[index.param].name); });

std::pair<std::string, std::string> one_turn(TemplateOptions options, const std::string& last) {
  const Conversation conversation = talk({"Q1", kThought + "A1", "Q2", last});
  return make_template("qwen3", std::move(options)).render_oneturn(b256(), conversation);
}

TEST(ReasoningOneTurn, ForgetsEarlierThoughtsUnlessPreserved) {
  EXPECT_EQ(one_turn({}, "A2").first.find("hm"), std::string::npos);
  EXPECT_NE(one_turn({.preserve_thinking = true}, "A2").first.find("hm"), std::string::npos);
}

TEST(ReasoningOneTurn, PromptsForGenerationEndAsThinkingIsSet) {
  const std::string header = "<|im_start|>assistant\n";
  const auto ends_with = [](const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
  };
  EXPECT_TRUE(ends_with(one_turn({}, "").first, header));
  EXPECT_TRUE(ends_with(one_turn({.enable_thinking = false}, "").first, header + kEmpty));
  EXPECT_TRUE(ends_with(one_turn({.enable_thinking = std::nullopt}, "").first, header + kEmpty));
  EXPECT_EQ(one_turn({.enable_thinking = false}, kThought + "A2").second, "A2<|im_end|>\n");
}

TEST(Thoughts, AreRemovedWithTheLineEndsThatRemain) {
  const WordPair words = {"<think>\n", "\n</think>\n\n"};
  EXPECT_EQ(without_thoughts(kThought + "A" + kThought + "B", words), "AB");
  EXPECT_EQ(without_thoughts("\n\nA\n", words), "A\n");
  EXPECT_EQ(without_thoughts("<think>\nopen", words), "<think>\nopen");
  EXPECT_EQ(without_thoughts(kThought, words), "");
}

TEST(Thoughts, AreMentionedByEitherWordWithoutItsBlanks) {
  const WordPair words = {"<think>\n", "\n</think>\n\n"};
  EXPECT_TRUE(mentions_thought("a <think> b", words));
  EXPECT_TRUE(mentions_thought("a </think>", words));
  EXPECT_FALSE(mentions_thought("think", words));
}

}  // namespace
}  // namespace hone::data
