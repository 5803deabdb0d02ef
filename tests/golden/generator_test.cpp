// Answers on a tiny model: where they end, what the cache saves, what is refused.
#include "generate/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "golden/session_run.h"
#include "kernels/cpu/cpu_table.h"

namespace hone::golden {
namespace {

using generate::FinishReason;
using generate::Generation;
using generate::GenerationOptions;
using generate::Generator;
using Ids = std::vector<std::int32_t>;

constexpr std::int64_t kCapacity = 48;
constexpr std::int64_t kChunk = 4;

GenerationOptions greedy(std::int64_t new_tokens) {
  GenerationOptions options;
  options.sampling.greedy = true;
  options.max_new_tokens = new_tokens;
  return options;
}

class GeneratorTest : public testing::Test {
 protected:
  GeneratorTest()
      : run(std::filesystem::path(HONE_TEST_DATA) / "tiny" / "llama_gqa", kernels::cpu_table(),
            Train::nothing),
        session(run, kernels::cpu_table(), kCapacity, kChunk) {}

  Generation answer(Generator& generator, const Ids& prompt) {
    seen.clear();
    return generator.run(
        prompt, [&](std::int32_t token) { seen.push_back(token); }, [] { return false; });
  }
  Generation answer(const GenerationOptions& options, const Ids& prompt) {
    Generator generator(*session.session, options);
    generator.clear();
    return answer(generator, prompt);
  }

  std::string refusal(const GenerationOptions& options, const Ids& prompt) {
    try {
      answer(options, prompt);
    } catch (const UserError& error) {
      return error.what();
    }
    return "nothing";
  }

  ModelRun run;
  SessionRun session;
  Ids seen;
};

TEST_F(GeneratorTest, EndsAfterMaxNewTokens) {
  const Generation result = answer(greedy(7), {5, 6, 7, 8, 9});
  EXPECT_EQ(result.tokens.size(), 7u);
  EXPECT_EQ(result.reason, FinishReason::length);
  EXPECT_EQ(seen, result.tokens);
  EXPECT_EQ(result.prompt_tokens, 5);
}

TEST_F(GeneratorTest, MaxLengthCountsThePromptAndYieldsToMaxNewTokens) {
  GenerationOptions options = greedy(0);
  options.max_length = 12;
  EXPECT_EQ(answer(options, {5, 6, 7, 8, 9}).tokens.size(), 7u);
  options.max_new_tokens = 3;
  EXPECT_EQ(answer(options, {5, 6, 7, 8, 9}).tokens.size(), 3u);
  options.max_new_tokens = -1;
  options.max_length = 5;
  EXPECT_EQ(refusal(options, {5, 6, 7, 8, 9}),
            "a prompt of 5 tokens\n  found: max_length: 5, which counts the prompt too\n"
            "  to do: set max_new_tokens, or a larger max_length");
}

TEST_F(GeneratorTest, EndsWithAStopIdWhichIsPartOfTheAnswer) {
  const Ids free = answer(greedy(8), {5, 6, 7}).tokens;
  GenerationOptions options = greedy(8);
  options.stop_ids = {free[3]};
  const Generation result = answer(options, {5, 6, 7});
  EXPECT_EQ(result.reason, FinishReason::stop);
  const auto first = std::find(free.begin(), free.end(), free[3]);
  EXPECT_EQ(result.tokens, Ids(free.begin(), first + 1));
}

TEST_F(GeneratorTest, EndsWhenTheContextIsFull) {
  const Ids prompt(kCapacity - 2, 3);
  const Generation result = answer(greedy(100), prompt);
  EXPECT_EQ(result.reason, FinishReason::context);
  EXPECT_EQ(result.tokens.size(), 3u);  // two that were read, and the one that comes after them
}

TEST_F(GeneratorTest, AnswersToAPromptThatFillsTheContextWithOneToken) {
  EXPECT_EQ(answer(greedy(100), Ids(kCapacity, 3)).tokens.size(), 1u);
  EXPECT_EQ(refusal(greedy(100), Ids(kCapacity + 1, 3)),
            "a prompt of 49 tokens\n  found: a context of 48 tokens\n"
            "  to do: ask with less text, or begin a new conversation");
}

TEST_F(GeneratorTest, RefusesPromptsThatTheModelCannotRead) {
  EXPECT_EQ(refusal(greedy(1), {}),
            "a prompt of 0 tokens\n  found: nothing to go on from\n  to do: write something");
  for (const std::int32_t id : {97, -1}) {
    EXPECT_EQ(refusal(greedy(1), {4, id}),
              "token " + std::to_string(id) +
                  " of the prompt\n  found: a model with 97 tokens\n"
                  "  to do: use a template whose tokens the model has, or the model's own "
                  "tokenizer");
  }
}

TEST_F(GeneratorTest, AHistoryIsReadOnceAndTheAnswerIsTheSame) {
  Generator generator(*session.session, greedy(6));
  Ids history = {11, 12, 13, 14, 15, 16};
  const Ids first = answer(generator, history).tokens;
  history.insert(history.end(), first.begin(), first.end());
  history.insert(history.end(), {21, 22, 23});
  const Generation second = answer(generator, history);
  // All but the first answer's last token, which was never read, and what came after it.
  EXPECT_EQ(second.reused_tokens, 11);
  EXPECT_EQ(second.tokens, answer(greedy(6), history).tokens);

  Ids edited = history;
  edited[3] = 40;
  const Generation third = answer(generator, edited);
  EXPECT_EQ(third.reused_tokens, 3);
  EXPECT_EQ(third.tokens, answer(greedy(6), edited).tokens);
}

TEST_F(GeneratorTest, TheSamePromptAgainIsReadButForItsLastToken) {
  Generator generator(*session.session, greedy(4));
  const Ids prompt = {1, 2, 3, 4, 5, 6, 7};
  const Ids first = answer(generator, prompt).tokens;
  const Generation again = answer(generator, prompt);
  EXPECT_EQ(again.reused_tokens, 6);
  EXPECT_EQ(again.tokens, first);
  EXPECT_EQ(answer(generator, {1, 2}).reused_tokens, 1);
}

TEST_F(GeneratorTest, StopsWhenItIsWished) {
  Generator generator(*session.session, greedy(40));
  int asked = 0;
  // The prompt is one chunk: asked once for it, then before every token.
  const Generation result =
      generator.run(Ids{5, 6, 7}, [](std::int32_t) {}, [&] { return ++asked > 4; });
  EXPECT_EQ(result.reason, FinishReason::interrupted);
  EXPECT_EQ(result.tokens.size(), 3u);
  const Generation none = generator.run(Ids{50, 51, 52}, [](std::int32_t) {}, [] { return true; });
  EXPECT_TRUE(none.tokens.empty());
  // What was left behind does no harm.
  EXPECT_EQ(answer(generator, {5, 6, 7}).tokens, answer(greedy(40), {5, 6, 7}).tokens);
}

TEST_F(GeneratorTest, DrawsDependOnTheSeedAlone) {
  GenerationOptions options;
  options.max_new_tokens = 20;
  options.seed = 7;
  const Ids first = answer(options, {5, 6, 7}).tokens;
  EXPECT_EQ(answer(options, {5, 6, 7}).tokens, first);
  Generator generator(*session.session, options);
  generator.clear();
  EXPECT_EQ(answer(generator, {5, 6, 7}).tokens, first);
  EXPECT_NE(answer(generator, {5, 6, 7}).tokens, first);  // other draws of the same conversation
  generator.clear();
  EXPECT_EQ(answer(generator, {5, 6, 7}).tokens, first);
  options.seed = 8;
  EXPECT_NE(answer(options, {5, 6, 7}).tokens, first);
}

}  // namespace
}  // namespace hone::golden
