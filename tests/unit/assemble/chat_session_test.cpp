#include "assemble/chat_session.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/assemble/tiny_chat_model.h"

namespace hone::assemble {
namespace {

class Lines final : public LogSink {
 public:
  void line(Severity severity, std::string_view text) override {
    lines.push_back((severity == Severity::warning ? "warning: " : "") + std::string(text));
  }
  std::vector<std::string> lines;
};

bool never() {
  return false;
}

constexpr std::uint64_t kSeed = 7;  // where the settings name none

class ChatSessionTest : public testing::Test {
 protected:
  static TinyChatModel& tiny() {
    static TinyChatModel model;
    return model;
  }

  // What reading `hone chat model_name_or_path=... template=chatml <words>` gives.
  config::ReadResult read(std::vector<std::string> words) {
    words.insert(words.begin(),
                 {"model_name_or_path=" + tiny().model().string(), "template=chatml", "threads=2"});
    return config::read_settings({config::Command::chat, words, "", false});
  }

  // Answers to several questions in one conversation.
  std::vector<std::string> answers(const std::vector<std::string>& words,
                                   const std::vector<std::string>& questions) {
    const config::ReadResult settings = read(words);
    ChatSession session(settings, kSeed, log);
    session.load();
    std::vector<std::string> texts;
    for (const std::string& question : questions) {
      texts.push_back(session.ask(question, [](std::string_view) {}, never).text);
    }
    return texts;
  }

  std::string refusal(const std::vector<std::string>& words) {
    const config::ReadResult settings = read(words);
    try {
      ChatSession session(settings, kSeed, log);
    } catch (const UserError& error) {
      return error.what();
    }
    return "nothing";
  }

  Lines log;
};

const std::vector<std::string> kGreedy = {"do_sample=false", "max_new_tokens=12"};
// Draws show what moves probabilities even where the likeliest token stays the same.
const std::vector<std::string> kDrawn = {"temperature=1", "top_p=1.0", "top_k=0",
                                         "max_new_tokens=30"};

TEST_F(ChatSessionTest, TellsTheAnswerInPiecesOfWholeCharacters) {
  const config::ReadResult settings = read({"max_new_tokens=15", "top_p=1.0", "top_k=0"});
  ChatSession session(settings, kSeed, log);
  session.load();
  std::string shown;
  const Answer answer =
      session.ask("hello", [&](std::string_view piece) { shown += piece; }, never);
  EXPECT_EQ(shown, answer.text);
  EXPECT_FALSE(answer.text.empty());
  EXPECT_EQ(answer.generation.tokens.size(), 15u);
  EXPECT_EQ(answer.cut, "the answer was cut after 15 tokens (max_new_tokens)");
}

TEST_F(ChatSessionTest, KeepsTheHistoryAndReadsItOnce) {
  const config::ReadResult settings = read(kDrawn);
  ChatSession session(settings, kSeed, log);
  session.load();
  const auto ask = [&](const std::string& text) {
    return session.ask(text, [](std::string_view) {}, never);
  };
  const Answer first = ask("hello");
  // <|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n, a byte each but for the three.
  EXPECT_EQ(first.generation.prompt_tokens, 3 + 4 + 1 + 5 + 1 + 9 + 1);
  EXPECT_EQ(first.generation.reused_tokens, 0);
  const Answer second = ask("more");
  EXPECT_GE(second.generation.reused_tokens, first.generation.prompt_tokens);
  ASSERT_EQ(session.history().size(), 4u);
  EXPECT_EQ(session.history()[1].content, first.text);
  EXPECT_EQ(session.history()[2].role, data::Role::user);
  EXPECT_EQ(session.history()[2].content, "more");

  session.clear();
  EXPECT_TRUE(session.history().empty());
  const Answer again = ask("hello");
  EXPECT_EQ(again.generation.reused_tokens, 0);
  EXPECT_EQ(again.text, first.text);
  EXPECT_NE(ask("less").generation.tokens, second.generation.tokens);
}

TEST_F(ChatSessionTest, TemperatureZeroIsGreedy) {
  EXPECT_EQ(answers({"temperature=0", "max_new_tokens=12"}, {"hello"}),
            answers(kGreedy, {"hello"}));
}

TEST_F(ChatSessionTest, DrawsAreTheSameInEveryConversation) {
  EXPECT_NE(answers(kDrawn, {"hello"}), answers(kGreedy, {"hello"}));
  EXPECT_EQ(answers(kDrawn, {"hello", "more"}), answers(kDrawn, {"hello", "more"}));
}

TEST_F(ChatSessionTest, AdaptersChangeAnswersAndMergedOnesAsMuchAsAttachedOnes) {
  const std::string adapter = tiny().adapter("one", 5, 0.5f);
  const std::string idle = tiny().adapter("idle", 6, 0.0f);
  const auto with = [&](const std::string& adapters) {
    std::vector<std::string> words = kDrawn;
    if (!adapters.empty()) words.push_back("adapter_name_or_path=" + adapters);
    return answers(words, {"hello", "what is it?"});
  };
  EXPECT_NE(with(adapter), with(""));
  EXPECT_EQ(with(idle), with(""));
  EXPECT_EQ(with(adapter + "," + idle), with(adapter));
  EXPECT_EQ(with(idle + "," + adapter), with(adapter));
}

TEST_F(ChatSessionTest, StopsWhenWishedAndKeepsWhatWasSaid) {
  const config::ReadResult settings = read(kGreedy);
  ChatSession session(settings, kSeed, log);
  session.load();
  int asked = 0;
  const Answer answer = session.ask("hello", [](std::string_view) {}, [&] { return ++asked > 6; });
  EXPECT_EQ(answer.generation.reason, generate::FinishReason::interrupted);
  EXPECT_EQ(answer.generation.tokens.size(), 5u);
  EXPECT_EQ(answer.cut, "the answer was stopped");
  EXPECT_EQ(session.history().back().content, answer.text);
}

TEST_F(ChatSessionTest, RefusesWhatItCannotReadAndLeavesTheHistoryAsItWas) {
  const config::ReadResult settings = read(kGreedy);
  ChatSession session(settings, kSeed, log);
  session.load();
  const auto ask = [&](const std::string& text) {
    return session.ask(text, [](std::string_view) {}, never);
  };
  ask("hello");
  const auto refused = [&](const std::string& text) {
    try {
      ask(text);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_NE(refused("\xff").find("is not UTF-8"), std::string::npos);
  const std::string too_long = refused(std::string(kTinyPositions, 'x'));
  EXPECT_NE(too_long.find("found: a context of 400 tokens"), std::string::npos) << too_long;
  EXPECT_NE(too_long.find("to do: ask with less text, or begin a new conversation"),
            std::string::npos);
  EXPECT_EQ(session.history().size(), 2u);
  ask("more");
  EXPECT_EQ(session.history().size(), 4u);
}

TEST_F(ChatSessionTest, SaysThatTheContextIsFull) {
  const config::ReadResult settings = read({"do_sample=false", "max_new_tokens=1000"});
  ChatSession session(settings, kSeed, log);
  session.load();
  const Answer answer =
      session.ask(std::string(kTinyPositions - 40, 'x'), [](std::string_view) {}, never);
  EXPECT_EQ(answer.cut, "the answer was cut, as the context of 400 tokens is full");
}

TEST_F(ChatSessionTest, SaysWhatWillBeUsedBeforeAnythingIsRead) {
  const config::ReadResult settings = read({"infer_dtype=bfloat16", "repetition_penalty=1.2"});
  ChatSession session(settings, kSeed, log);
  const std::vector<std::string> lines = session.summary();
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1],
            "model: " + tiny().model().string() + " (LlamaForCausalLM), 2 blocks of width 16");
  EXPECT_NE(lines[2].find(" when all 400 tokens of context are in use ("), std::string::npos);
  EXPECT_NE(lines[2].find("key-value cache 64.0 KiB"), std::string::npos) << lines[2];
  EXPECT_EQ(lines[3],
            "answers: template chatml, drawn with temperature 0.95, top_k 50, top_p 0.7, seed 7, "
            "repetition_penalty 1.2, up to 1,024 tokens");
}

TEST_F(ChatSessionTest, TheSeedDecidesWhatIsDrawn) {
  const auto with_seed = [&](const std::string& seed) {
    std::vector<std::string> words = kDrawn;
    words.push_back("seed=" + seed);
    return answers(words, {"hello", "more"});
  };
  EXPECT_EQ(with_seed("7"), answers(kDrawn, {"hello", "more"}));
  EXPECT_EQ(with_seed("4294967295"), with_seed("4294967295"));
  EXPECT_NE(with_seed("4294967295"), with_seed("7"));
  EXPECT_NE(with_seed("42"), with_seed("7"));  // 42 is a seed as any other
}

TEST_F(ChatSessionTest, KnowsWhereItsSeedIsFrom) {
  const config::ReadResult none = read({});
  const ChatSession fresh(none, kSeed, log);
  EXPECT_EQ(fresh.seed(), kSeed);
  EXPECT_TRUE(fresh.seed_is_fresh());
  const config::ReadResult given = read({"seed=0"});
  const ChatSession named(given, kSeed, log);
  EXPECT_EQ(named.seed(), 0u);
  EXPECT_FALSE(named.seed_is_fresh());
  for (const char* greedy : {"do_sample=false", "temperature=0"}) {
    const config::ReadResult settings = read({greedy});
    EXPECT_EQ(ChatSession(settings, kSeed, log).seed(), std::nullopt);
  }
}

TEST_F(ChatSessionTest, Bfloat16HalvesTheMatrices) {
  const config::ReadResult settings = read({"infer_dtype=bfloat16"});
  const ChatModel narrow(settings.settings, open_model(tiny().model().string()), log);
  const auto whole_settings = read({});
  const ChatModel whole(whole_settings.settings, open_model(tiny().model().string()), log);
  const auto weights = [](const ChatModel& model) {
    return static_cast<double>(model.plan().bytes_of(Category::weights));
  };
  EXPECT_NEAR(weights(narrow) / weights(whole), 0.5, 0.1);
}

// Working space is planned for the hungriest of all lengths.
TEST_F(ChatSessionTest, ReadsATokenAtEveryDepthOfTheCache) {
  constexpr std::int64_t kPositions = 3000;
  constexpr std::size_t kStride = 97;
  TinyChatModel far(kPositions);
  const auto settings = read({});
  ChatModel model(settings.settings, open_model(far.model().string()), log);
  model.load();
  const std::vector<std::int32_t> tokens(kStride, 65);
  std::int64_t depth = 0;
  for (; depth + static_cast<std::int64_t>(kStride) < kPositions; depth += kStride + 1) {
    model.session().read(tokens);
    model.session().read(std::span(tokens).first(1));
  }
  for (; depth < kPositions; ++depth) model.session().read(std::span(tokens).first(1));
  for (const float logit : model.session().logits()) ASSERT_TRUE(std::isfinite(logit));
}

TEST_F(ChatSessionTest, AMemoryLimitShortensTheContext) {
  // Two blocks of keys and values of 8 floats, and 8 floats of rotary tables.
  constexpr std::size_t kTokenBytes = (2 * 2 * 8 + 8) * 4;
  constexpr std::int64_t kPositions = 400000;
  TinyChatModel far(kPositions);
  const std::string path = far.model().string();
  const auto roomy_settings = read({});
  const ChatModel roomy(roomy_settings.settings, open_model(path), log);
  EXPECT_EQ(roomy.context_tokens(), kPositions);
  const std::size_t limit = roomy.plan().total_bytes() - 200000 * kTokenBytes;
  const auto tight_settings = read({"memory_limit=" + std::to_string(limit) + "B"});
  log.lines.clear();
  const ChatModel tight(tight_settings.settings, open_model(path), log);
  EXPECT_LE(tight.plan().total_bytes(), limit);
  // The program itself grows and shrinks by a few MiB between the two.
  EXPECT_NEAR(static_cast<double>(tight.context_tokens()), 200000.0, 50000.0);
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_EQ(log.lines[0].find("warning: the context is limited to "), 0u);
  EXPECT_NE(log.lines[0].find(" tokens, of 400,000 that the model can: "), std::string::npos);
}

TEST_F(ChatSessionTest, RefusesAMemoryLimitThatHoldsNoConversation) {
  const std::string text = refusal({"memory_limit=4MiB"});
  EXPECT_EQ(text.find("memory: "), 0u) << text;
  EXPECT_NE(text.find(" to generate with this model and 400 tokens of context\n"
                      "  found: 4.00 MiB (memory_limit)\n  to do: free memory, or set "
                      "infer_dtype: bfloat16 if the weights are stored wider, or take a smaller "
                      "model"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace hone::assemble
