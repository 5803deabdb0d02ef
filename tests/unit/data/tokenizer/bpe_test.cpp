#include <ctime>
#include <thread>

#include <gtest/gtest.h>

#include "unit/data/tokenizer/tokenizer_fixture.h"

namespace hone::data {
namespace {

using formats::Array;
using formats::Object;
using formats::Value;
using Ids = std::vector<TokenId>;

// Adds entries behind the special tokens, which are then in the vocabulary as well.
void add_to_vocabulary(Value& tokenizer, const std::vector<std::string>& tokens) {
  Value& vocabulary = at(tokenizer, {"model", "vocab"});
  for (const Value& added : tokenizer.find("added_tokens")->array()) {
    vocabulary.set(added.find("content")->string(), *added.find("id"));
  }
  for (const std::string& token : tokens) {
    vocabulary.set(token, static_cast<std::int64_t>(vocabulary.object().size()));
  }
}

Tokenizer with_merges(const std::vector<std::string>& tokens, Array merges, bool ignore_merges) {
  return b256([&](Value& tokenizer, Value&) {
    add_to_vocabulary(tokenizer, tokens);
    at(tokenizer, {"model", "merges"}) = merges;
    at(tokenizer, {"model", "ignore_merges"}) = ignore_merges;
  });
}

TEST(Bpe, AWholeWordWinsOverMergesOnlyWithIgnoreMerges) {
  const Tokenizer with = with_merges({"abc", "ab"}, {"a b"}, true);
  EXPECT_EQ(with.encode("abc"), (Ids{261}));
  EXPECT_EQ(with.encode("abcabc"), (Ids{262, 99, 262, 99}));
  const Tokenizer without = with_merges({"abc", "ab"}, {"a b"}, false);
  EXPECT_EQ(without.encode("abc"), (Ids{262, 99}));
  EXPECT_EQ(without.encode("abcabc"), (Ids{262, 99, 262, 99}));
}

TEST(Bpe, ReadsMergesAsTextAndAsPairs) {
  EXPECT_EQ(with_merges({"xx", "ab"}, {"a b"}, false).encode("ab"), (Ids{262}));
  EXPECT_EQ(with_merges({"xx", "ab"}, {Value(Array{"a", "b"})}, false).encode("ab"), (Ids{262}));
  EXPECT_EQ(with_merges({"xx", "ab"}, {"#version: 0.2", "a b"}, false).encode("ab"), (Ids{262}));
}

constexpr const char* kSpaced =
    R"({"model": {"type": "BPE", "vocab": {"a": 0, " ": 1, "b": 2, "a ": 3, "a b": 4}, "merges": MERGES},
        "added_tokens": []})";

std::string spaced_with(const std::string& merges) {
  std::string text = kSpaced;
  return text.replace(text.find("MERGES"), 6, merges);
}

TEST(Bpe, PairsMayHoldSpaces) {
  const Tokenizer tokenizer = bare_bpe(spaced_with(R"([["a", " "], ["a ", "b"]])"));
  EXPECT_EQ(tokenizer.encode("a b"), (Ids{4}));
  // Without a decoder, tokens are put together with spaces.
  EXPECT_EQ(tokenizer.decode({0, 2}, false), "a b");
}

TEST(Bpe, RefusesMalformedMergesByIndex) {
  const auto refused = [](const std::string& merge) {
    return refusal([&] { bare_bpe(spaced_with(R"([["a", " "], )" + merge + "]")); });
  };
  EXPECT_NE(refused("\"a b c\"").find("merge 1"), std::string::npos);
  EXPECT_NE(refused("\"a b c\"").find("'a b c' where two tokens"), std::string::npos);
  EXPECT_NE(refused("\"a\"").find("'a' where two tokens with one space"), std::string::npos);
  EXPECT_NE(refused("[\"a\"]").find("a list of 1 where two tokens belong"), std::string::npos);
  EXPECT_NE(refused("[\"a\", \"zz9\"]").find("'zz9' is not in the vocabulary"), std::string::npos);
  EXPECT_NE(refused("[\"a\", \"zz9\"]").find("merge 1"), std::string::npos);
  EXPECT_NE(refused("[1, 2]").find("a whole number in the pair where a token belongs"),
            std::string::npos);
  EXPECT_NE(refused("7").find("a whole number where a pair of tokens belongs"), std::string::npos);
  EXPECT_NE(refused("[\"a\", \"b\"]").find("'ab' is not in the vocabulary"), std::string::npos);
  EXPECT_NE(refusal([] { bare_bpe(R"({"model": {"vocab": {"a": 0}}})"); }).find("model.merges"),
            std::string::npos);
}

TEST(Bpe, RefusesMalformedVocabularies) {
  const auto refused = [](const std::string& vocabulary) {
    return refusal([&] { bare_bpe(R"({"model": {"merges": [], "vocab": )" + vocabulary + "}}"); });
  };
  EXPECT_NE(refused(R"({"a": 0, "b": 0})").find("its id 0 belongs to 'a' already"),
            std::string::npos);
  EXPECT_NE(refused(R"({"a": -1})").find("its id -1 is out of range"), std::string::npos);
  EXPECT_NE(refused(R"({"a": 4294967296})").find("its id 4294967296 is out of range"),
            std::string::npos);
  EXPECT_NE(refused(R"({"a": "x"})").find("a string where its id belongs"), std::string::npos);
  EXPECT_NE(refused("[]").find("it has no tokens"), std::string::npos);
}

TEST(Bpe, RefusesWhatChangesIdsAndIsNotThere) {
  const auto refused = [](const std::string& member) {
    return refusal(
        [&] { bare_bpe(R"({"model": {"merges": [], "vocab": {"a": 0}, )" + member + "}}"); });
  };
  EXPECT_NE(refused(R"("type": "WordLevel")").find("'WordLevel', and hone has BPE and Unigram"),
            std::string::npos);
  EXPECT_NE(refused(R"("type": "WordPiece")").find("'WordPiece', and hone has BPE and Unigram"),
            std::string::npos);
  EXPECT_NE(refused(R"("dropout": 0.1)").find("random merges"), std::string::npos);
  EXPECT_NE(refused(R"("end_of_word_suffix": "</w>")").find("marks inside or behind words"),
            std::string::npos);
  EXPECT_NE(refused(R"("unk_token": "?")").find("it is not in the vocabulary"), std::string::npos);
}

TEST(Bpe, UnknownCharactersBecomeTheUnknownTokenOrNothing) {
  const std::string start = R"({"model": {"merges": [], "vocab": {"a": 0, "?": 1}, )";
  const Tokenizer fused = bare_bpe(start + R"("unk_token": "?", "fuse_unk": true}})");
  EXPECT_EQ(fused.encode("axyaz"), (Ids{0, 1, 0, 1}));
  const Tokenizer single = bare_bpe(start + R"("unk_token": "?"}})");
  EXPECT_EQ(single.encode("axyaz"), (Ids{0, 1, 1, 0, 1}));
  const Tokenizer none = bare_bpe(start + R"("fuse_unk": false}})");
  EXPECT_EQ(none.encode("axyaz"), (Ids{0, 0}));
}

TEST(Bpe, SpellsUnknownCharactersAsBytes) {
  const std::string start =
      R"({"model": {"merges": [], "byte_fallback": true, "vocab": {"a": 0, "?": 1, "<0xC3>": 2,
          "<0xA9>": 3})";
  const Tokenizer known = bare_bpe(start + R"(, "unk_token": "?", "fuse_unk": true}})");
  EXPECT_EQ(known.encode("a\u00e9xa"), (Ids{0, 2, 3, 1, 0}));
  // An unknown token waits for the next character that has a token of its own.
  EXPECT_EQ(known.encode("x\u00e9a"), (Ids{2, 3, 1, 0}));
  EXPECT_TRUE(known.notes().empty());
  const Tokenizer none = bare_bpe(start + "}}");
  EXPECT_EQ(none.encode("x\u00e9a"), (Ids{2, 3, 0}));
  ASSERT_EQ(none.notes().size(), 1U);
  EXPECT_NE(none.notes().front().find("neither an unknown token nor a token for every byte"),
            std::string::npos);
}

// Cut at space marks or not, a text has the same ids.
TEST(Bpe, WordsAreCutOnlyWhereNoMergeCrosses) {
  const std::string start =
      R"({"model": {"vocab": {"a": 0, "b": 1, "▁": 2, "▁a": 3, "a▁": 4, "▁▁": 5, "ab": 6}, "merges": )";
  const Tokenizer cut = bare_bpe(start + R"([["▁", "▁"], ["▁", "a"], ["a", "b"]]}})");
  EXPECT_EQ(cut.encode("ab▁a▁▁a▁"), (Ids{6, 3, 5, 0, 2}));
  const Tokenizer crossing = bare_bpe(start + R"([["a", "▁"], ["▁", "a"]]}})");
  EXPECT_EQ(crossing.encode("ba▁a▁▁a"), (Ids{1, 4, 4, 3}));
}

// Ten merges that double a run of `a`, up to 1,024 of them (ids 261 to 270).
Tokenizer doubling() {
  std::vector<std::string> tokens;
  Array merges;
  for (std::size_t length = 1; length < 1024; length *= 2) {
    const std::string half(length, 'a');
    tokens.push_back(half + half);
    merges.push_back(half + " " + half);
  }
  return with_merges(tokens, merges, false);
}

// Of processor time, so that a busy machine does not fail the test.
double seconds_to_encode(const Tokenizer& tokenizer, const std::string& text, Ids& ids) {
  const std::clock_t start = std::clock();
  ids = tokenizer.encode(text);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(Bpe, LongRunsTakeTimeInProportion) {
  const Tokenizer tokenizer = doubling();
  Ids expected(97, 270);
  expected.insert(expected.end(), {269, 267, 265});
  Ids ids;
  EXPECT_LT(seconds_to_encode(tokenizer, std::string(100'000, 'a'), ids), 1.0);
  EXPECT_EQ(ids, expected);
  EXPECT_LT(seconds_to_encode(tokenizer, std::string(1'000'000, 'a'), ids), 10.0);
  EXPECT_EQ(ids.size(), 978U);  // 976 x 1024 = 999,424; then 512 and 64
  EXPECT_LT(seconds_to_encode(tokenizer, std::string(100'000, ' '), ids), 1.0);
  EXPECT_EQ(ids, Ids(100'000, 32));
}

TEST(Bpe, OneTokenizerServesSeveralThreads) {
  const Tokenizer tokenizer = doubling();
  const std::string text = "a aa aaa aaaa b aaaaa c aaaaaa";
  const Ids expected = tokenizer.encode(text);
  std::vector<int> equal(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < equal.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 200; ++round) {
        equal[t] += tokenizer.encode(text) == expected ? 1 : 0;
        tokenizer.encode(std::string(static_cast<std::size_t>(round) % 50, 'a') + " x");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, std::vector<int>(4, 200));
}

}  // namespace
}  // namespace hone::data
