// Unigram models and the parts of tokenizer.json that come with them.
#include <ctime>

#include <gtest/gtest.h>

#include "data/tokenizer/decoder.h"
#include "data/tokenizer/normalizer.h"
#include "data/tokenizer/precompiled.h"
#include "formats/json.h"
#include "unit/data/tokenizer/tokenizer_fixture.h"

namespace hone::data {
namespace {

using Ids = std::vector<TokenId>;

// <unk>=0, a=1, b=2, ab=3, bc=4, c=5, and what `more` adds.
Tokenizer unigram(const std::string& members, const std::string& more = "") {
  return bare_bpe(R"({"model": {"type": "Unigram", "vocab": [["<unk>", 0.0], ["a", -1.0],
      ["b", -2.0], ["ab", -2.5], ["bc", -1.0], ["c", -3.0])" +
                  more + "]" + members + "}}");
}

TEST(Unigram, TakesTheCutWithTheLargestSum) {
  const Tokenizer tokenizer = unigram(R"(, "unk_id": 0)");
  EXPECT_EQ(tokenizer.encode("abc"), (Ids{1, 4}));  // a+bc = -2, ab+c = -5.5
  EXPECT_EQ(tokenizer.encode("ab"), (Ids{3}));
  EXPECT_EQ(tokenizer.encode("xyaz"), (Ids{0, 1, 0}));  // neighbouring unknowns are one
  EXPECT_EQ(tokenizer.vocabulary_size(), 6U);
}

TEST(Unigram, SpellsUnknownTextAsBytesWhereAllAreThere) {
  const std::string bytes = R"(, ["<0xC3>", -20.0], ["<0xA9>", -20.0])";
  const Tokenizer tokenizer = unigram(R"(, "unk_id": 0, "byte_fallback": true)", bytes);
  EXPECT_EQ(tokenizer.encode("a\u00e9"), (Ids{1, 6, 7}));
  EXPECT_EQ(tokenizer.encode("\u00e9x"), (Ids{0}));  // fused with x, which has no byte token
}

TEST(Unigram, OfEqualTokensTheLastIsMeant) {
  const Tokenizer tokenizer = unigram(R"(, "unk_id": 0)", R"(, ["a", -0.5])");
  EXPECT_EQ(tokenizer.encode("a"), (Ids{6}));
  EXPECT_EQ(tokenizer.token_text(1), "a");
}

TEST(Unigram, RefusesTextThatItCannotWrite) {
  const Tokenizer tokenizer = unigram("");
  EXPECT_EQ(tokenizer.encode("ab"), (Ids{3}));
  const std::string text = refusal([&] { tokenizer.encode("axb"); });
  EXPECT_NE(text.find("a text with 'x'"), std::string::npos);
  EXPECT_NE(text.find("no token for it, and no unknown token"), std::string::npos);
}

TEST(Unigram, RefusesMalformedVocabularies) {
  const auto refused = [](const std::string& model) {
    return refusal([&] { bare_bpe(R"({"model": {"type": "Unigram", )" + model + "}}"); });
  };
  EXPECT_NE(refused(R"("vocab": [])").find("it has no tokens"), std::string::npos);
  EXPECT_NE(refused(R"("vocab": [["a"]])").find("a list of a token and its score"),
            std::string::npos);
  EXPECT_NE(refused(R"("vocab": [["a", "b"]])").find("token 0"), std::string::npos);
  EXPECT_NE(refused(R"("vocab": [["a", 0]], "unk_id": 1)").find("unk_id 1"), std::string::npos);
  EXPECT_NE(refused(R"("vocab": [["a", 0]], "unk_id": -1)").find("unk_id -1"), std::string::npos);
  EXPECT_NE(refused(R"("vocab": {"a": 0})").find("model.vocab"), std::string::npos);
  EXPECT_NE(refused(R"("vocab": [[")" + std::string(5000, 'a') + R"(", 0]])")
                .find("it has 5000 bytes, and 4096 is the most that hone reads"),
            std::string::npos);
}

TEST(Unigram, LongRunsTakeTimeInProportion) {
  const Tokenizer tokenizer = unigram(R"(, "unk_id": 0)", R"(, ["aaaaaaaaaaaaaaaa", -1.5])");
  const std::clock_t start = std::clock();
  EXPECT_EQ(tokenizer.encode(std::string(100'000, 'a')).size(), 6250U);
  EXPECT_EQ(tokenizer.encode(std::string(100'000, 'x')), (Ids{0}));
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 1.0);
}

std::string decoded(const std::string& json, const std::vector<std::string>& tokens) {
  const formats::Value description = formats::parse_json(json, "test");
  const Decoder decoder = make_decoder(&description, "f.json");
  DecoderRun run(decoder);
  std::string text;
  for (const std::string& token : tokens) text += run.push(token) + "|";
  return text + run.finish();
}

TEST(Decoder, GivesTextAsSoonAsItIsCertain) {
  const std::string llama = R"({"type": "Sequence", "decoders": [
      {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"},
      {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})";
  EXPECT_EQ(decoded(llama, {"▁", "▁a", "<0xC3>", "<0xA9>", "b", "<0xC3>"}), "| a|||éb||\ufffd");
  // A run of bytes is UTF-8 as a whole, or each of its bytes is unreadable.
  EXPECT_EQ(decoded(llama, {"<0xC3>", "<0xA9>", "<0xC3>", "x"}), "|||\ufffd\ufffd\ufffdx|");
  const std::string metaspace =
      R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true})";
  EXPECT_EQ(decoded(metaspace, {"▁a▁b", "▁c"}), "ab| c|");
  EXPECT_EQ(decoded(R"({"type": "Metaspace", "replacement": "▁", "add_prefix_space": false})",
                    {"▁a", "▁c"}),
            " a| c|");
  EXPECT_EQ(decoded(R"({"type": "Strip", "content": "e", "start": 1, "stop": 2})", {"eee", "xeee"}),
            "|xe|");
}

TEST(Decoder, RefusesMalformedParts) {
  const auto refused = [](const std::string& json) { return refusal([&] { decoded(json, {}); }); };
  EXPECT_NE(refused(R"({"type": "Strip", "content": "ab", "start": 1, "stop": 0})")
                .find("'ab' where one character belongs"),
            std::string::npos);
  EXPECT_NE(refused(R"({"type": "Strip", "content": "a", "start": -1, "stop": 0})").find("start"),
            std::string::npos);
  EXPECT_NE(refused(R"({"type": "Metaspace", "replacement": ""})").find("one character belongs"),
            std::string::npos);
  EXPECT_NE(refused(R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "often"})")
                .find("known are always, first and never"),
            std::string::npos);
  EXPECT_NE(refused(R"({"type": "CTC"})").find("decoder.type in f.json: 'CTC'"), std::string::npos);
}

std::string normalized(const std::string& json, const std::string& text) {
  const formats::Value description = formats::parse_json(json, "test");
  return make_normalizer(&description, "f.json")->normalize(text);
}

TEST(Normalizer, KnowsThePartsOfMultilingualModels) {
  EXPECT_EQ(normalized(R"({"type": "StripAccents"})", "e\u0301a\u0903"), "ea");
  EXPECT_EQ(normalized(R"({"type": "Nmt"})",
                       "\x01"
                       "a\tb\u200b\u2581c\x7f"),
            "a b  c");
  EXPECT_EQ(normalized(R"({"type": "BertNormalizer"})", "\u00c9\x01\t\u65e5x"), "e  \u65e5 x");
  EXPECT_EQ(normalized(R"({"type": "BertNormalizer", "lowercase": false, "strip_accents": null,
                           "clean_text": false, "handle_chinese_chars": false})",
                       "\u00c9\u65e5"),
            "\u00c9\u65e5");
}

TEST(Normalizer, RefusesDamagedCharacterMaps) {
  const auto refused = [](const std::string& map) {
    return refusal([&] {
      normalized(R"({"type": "Precompiled", "precompiled_charsmap": ")" + map + "\"}", "x");
    });
  };
  EXPECT_NE(refused("").find("0 bytes"), std::string::npos);
  EXPECT_NE(refused("A*==").find("character 1 is not base 64"), std::string::npos);
  EXPECT_NE(refused("AAAAAA==").find("a trie of 0 bytes"), std::string::npos);
  EXPECT_NE(refused("/////w==").find("a trie of 4294967295 bytes in a map of 4"),
            std::string::npos);
  EXPECT_NE(refused(base64(std::string("\4\0\0\0\0\0\0\0\xff", 9))).find("is not UTF-8"),
            std::string::npos);
}

// Whatever the units say, no place outside the map is read.
TEST(Normalizer, SurvivesMadeUpCharacterMaps) {
  std::uint32_t state = 1;
  for (int round = 0; round < 200; ++round) {
    std::string map("\x40\0\0\0", 4);
    for (int i = 0; i < 64; ++i) {
      state = state * 1664525U + 1013904223U;
      map.push_back(static_cast<char>(state >> 24));
    }
    map += std::string("a\0b\0", 4);
    const Precompiled precompiled(map, "f.json");
    const std::string text = precompiled.normalize("abc \u00e9\u65e5 xyz \U0001f600");
    EXPECT_LE(text.size(), 64U);
  }
}

}  // namespace
}  // namespace hone::data
