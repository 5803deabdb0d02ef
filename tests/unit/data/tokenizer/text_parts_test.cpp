// The parts that work on text: UTF-8, byte letters, patterns, cuts, added tokens.
#include <gtest/gtest.h>

#include "data/tokenizer/added_tokens.h"
#include "data/tokenizer/byte_level.h"
#include "data/tokenizer/decoder.h"
#include "data/tokenizer/normalizer.h"
#include "data/tokenizer/pre_tokenizer.h"
#include "data/tokenizer/regex.h"
#include "data/tokenizer/split_behavior.h"
#include "data/tokenizer/utf8.h"
#include "formats/json.h"
#include "unit/data/tokenizer/tokenizer_fixture.h"

namespace hone::data {
namespace {

std::string taken(std::string bytes) {
  return take_utf8(bytes);
}

TEST(Utf8, ReplacesWhatCanNeverBeACharacter) {
  const std::string mark = "\xef\xbf\xbd";
  EXPECT_EQ(taken("a\xff\xfe b"), "a" + mark + mark + " b");
  EXPECT_EQ(taken("\xe2\x82x"), mark + "x");                        // one mark for a cut character
  EXPECT_EQ(taken("\xc0\x80"), mark + mark);                        // overlong
  EXPECT_EQ(taken("\xed\xa0\x80"), mark + mark + mark);             // a surrogate
  EXPECT_EQ(taken("\xf4\x90\x80\x80"), mark + mark + mark + mark);  // above U+10FFFF
}

TEST(Utf8, HoldsBackAnUnfinishedCharacter) {
  std::string bytes = "a\xf0\x9f\x98";
  EXPECT_EQ(take_utf8(bytes), "a");
  EXPECT_EQ(bytes, "\xf0\x9f\x98");
  bytes += "\x80z";
  EXPECT_EQ(take_utf8(bytes), "\xf0\x9f\x98\x80z");
  EXPECT_EQ(bytes, "");
}

TEST(Utf8, AppendInvertsStep) {
  for (const char32_t code :
       {U'a', U'\u00e9', U'\u20ac', U'\ufffd', U'\U0001f600', U'\U0010ffff'}) {
    std::string text;
    append_utf8(text, code);
    const Utf8Step step = utf8_step(text, 0);
    EXPECT_EQ(step.code, code);
    EXPECT_EQ(step.length, text.size());
  }
}

TEST(ByteLetters, AreGpt2s) {
  EXPECT_EQ(to_byte_letters(" a\n"), "Ġa\u010a");
  EXPECT_EQ(to_byte_letters("\xc3\xa9"), "Ã©");
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  EXPECT_EQ(from_byte_letters(to_byte_letters(all)), all);
  EXPECT_EQ(from_byte_letters("Ġ日"), "Ġ日");  // not all are letters: the token is its own bytes
}

TEST(Pattern, IsRewrittenWhereTheDialectsDiffer) {
  EXPECT_EQ(translate_pattern(R"(\p{L}+|\p{N}{1,3}|[^\r\n]?)", "x"),
            R"(\p{L}+|\p{N}{1,3}|[^\r\n]?)");
  EXPECT_EQ(translate_pattern(R"(\h\v\u20ac)", "x"), R"([0-9a-fA-F]\x{b}\x{20ac})");
  EXPECT_EQ(translate_pattern("a{,3}b{x}", "x"), "a{0,3}b\\{x}");
}

TEST(Pattern, WhiteSpaceIsUnicodes) {
  const Regex space(R"(\s)", "x");
  EXPECT_EQ(space.matches("\u0085\u00a0\u3000 \t\v\f\r\n").size(), 9U);
  EXPECT_TRUE(space.matches("\u180e\u200b\x1c").empty());
  EXPECT_EQ(Regex(R"([^\S\n])", "x").matches(" \n\ta").size(), 2U);
}

TEST(Pattern, FindsEmptyMatchesOnce) {
  const Regex regex("b*", "x");
  const std::vector<Span> expected = {{0, 0}, {1, 3}, {3, 3}, {5, 5}};
  EXPECT_EQ(regex.matches("abb\u00e9"), expected);
}

TEST(Pattern, RefusesWhatItCannotMean) {
  const auto refused = [](const std::string& pattern) {
    return refusal([&] { Regex(pattern, "f.json: pre_tokenizer"); });
  };
  EXPECT_NE(refused("[a-z&&[^x]]").find("a class intersection '&&'"), std::string::npos);
  EXPECT_NE(refused("[a[b]]").find("a class inside a class"), std::string::npos);
  EXPECT_NE(refused(R"([\W])").find("a negated set inside a class"), std::string::npos);
  EXPECT_NE(refused(R"(\p{N}{1,3}+)").find("'+' after an interval"), std::string::npos);
  EXPECT_NE(refused(R"(a\b)").find("the escape '\\b'"), std::string::npos);
  EXPECT_NE(refused("a(?i)b").find("the group or option '(?'"), std::string::npos);
  EXPECT_NE(refused(R"(\xff)").find("a byte written as \\x"), std::string::npos);
  EXPECT_NE(refused(R"(\u12)").find("a malformed \\u escape"), std::string::npos);
  EXPECT_NE(refused(R"(\p{L)").find("an open brace"), std::string::npos);
  EXPECT_NE(refused("a\\").find("a backslash at the end"), std::string::npos);
  EXPECT_NE(refused(R"([\A])").find("an anchor inside a class"), std::string::npos);
  const std::string malformed = refused("(a");
  EXPECT_NE(malformed.find("f.json: pre_tokenizer: the pattern '(a'"), std::string::npos);
  EXPECT_NE(malformed.find("missing closing parenthesis"), std::string::npos);
}

TEST(Pattern, GivesUpOnEndlessBacktrackingInWords) {
  const Regex regex("(a+)+$", "x");
  const std::string text = std::string(64, 'a') + "b";
  EXPECT_NE(refusal([&] { regex.matches(text); }).find("splitting a text of 65 bytes"),
            std::string::npos);
}

TEST(Pattern, EscapedTextMatchesItself) {
  const Regex regex(escape_pattern("a.b\\[é]"), "x");
  EXPECT_EQ(regex.matches("axb\\[é] a.b\\[é]").size(), 1U);
}

// The pieces of "the-final--countdown" at '-'.
std::string cut(SplitBehavior behavior, bool invert = false) {
  const std::string text = "the-final--countdown";
  std::string joined;
  for (const auto& [begin, end] :
       split(text.size(), {{3, 4}, {9, 10}, {10, 11}}, behavior, invert)) {
    joined += text.substr(begin, end - begin) + "|";
  }
  return joined;
}

TEST(Split, HasFiveWays) {
  EXPECT_EQ(cut(SplitBehavior::removed), "the|final|countdown|");
  EXPECT_EQ(cut(SplitBehavior::isolated), "the|-|final|-|-|countdown|");
  EXPECT_EQ(cut(SplitBehavior::merged_with_previous), "the-|final-|-|countdown|");
  EXPECT_EQ(cut(SplitBehavior::merged_with_next), "the|-final|-|-countdown|");
  EXPECT_EQ(cut(SplitBehavior::contiguous), "the|-|final|--|countdown|");
  EXPECT_EQ(cut(SplitBehavior::removed, true), "-|-|-|");
  EXPECT_NE(refusal([] { split_behavior("Sideways", "f.json"); }).find("behavior 'Sideways'"),
            std::string::npos);
}

std::vector<std::string> pieces(const std::string& json, const std::string& text) {
  const formats::Value description = formats::parse_json(json, "test");
  std::vector<TextPiece> cut_pieces = {{text, text.empty() ? 0 : utf8_step(text, 0).length}};
  make_pre_tokenizer(&description, "test")->apply(cut_pieces);
  std::vector<std::string> texts;
  for (const TextPiece& piece : cut_pieces) texts.push_back(piece.text);
  return texts;
}

TEST(PreTokenizer, CutsAsItsTypeSays) {
  using Pieces = std::vector<std::string>;
  EXPECT_EQ(pieces(R"({"type": "Digits", "individual_digits": true})", "a12b"),
            (Pieces{"a", "1", "2", "b"}));
  EXPECT_EQ(pieces(R"({"type": "Digits"})", "a12b"), (Pieces{"a", "12", "b"}));
  EXPECT_EQ(pieces(R"({"type": "Whitespace"})", " a b! "), (Pieces{"a", "b", "!"}));
  EXPECT_EQ(pieces(R"({"type": "WhitespaceSplit"})", " a b! "), (Pieces{"a", "b!"}));
  EXPECT_EQ(pieces(R"({"type": "Punctuation"})", "a.b¿"), (Pieces{"a", ".", "b", "¿"}));
  EXPECT_EQ(pieces(R"({"type": "ByteLevel"})", "a b"), (Pieces{"Ġa", "Ġb"}));
  EXPECT_EQ(
      pieces(R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": false})", "a b"),
      (Pieces{"aĠb"}));
}

TEST(Parts, OfOtherTypesAreRefusedByName) {
  const formats::Value scripts = formats::parse_json(R"({"type": "UnicodeScripts"})", "test");
  EXPECT_NE(refusal([&] {
              make_pre_tokenizer(&scripts, "f.json");
            }).find("pre_tokenizer.type in f.json: 'UnicodeScripts'"),
            std::string::npos);
  const formats::Value other = formats::parse_json(R"({"type": "ByteLevel"})", "test");
  EXPECT_NE(refusal([&] {
              make_normalizer(&other, "f.json");
            }).find("normalizer.type in f.json: 'ByteLevel'"),
            std::string::npos);
  const formats::Value unigram = formats::parse_json(R"({"type": "WordPiece"})", "test");
  EXPECT_NE(refusal([&] {
              make_decoder(&unigram, "f.json");
            }).find("decoder.type in f.json: 'WordPiece'"),
            std::string::npos);
}

std::string normalized(const std::string& json, const std::string& text) {
  const formats::Value description = formats::parse_json(json, "test");
  return make_normalizer(&description, "test")->normalize(text);
}

TEST(Normalizer, DoesWhatItsTypeSays) {
  EXPECT_EQ(normalized(R"({"type": "NFC"})", "e\u0301"), "\u00e9");
  EXPECT_EQ(normalized(R"({"type": "NFD"})", "\u00e9"), "e\u0301");
  EXPECT_EQ(normalized(R"({"type": "NFKC"})", "ﬁ²"), "fi2");
  EXPECT_EQ(normalized(R"({"type": "NFKD"})", "Å²"), "A\u030a2");
  EXPECT_EQ(normalized(R"({"type": "Lowercase"})", "ÀΣİ"), "àσi\u0307");
  EXPECT_EQ(normalized(R"({"type": "Prepend", "prepend": "_"})", "a"), "_a");
  EXPECT_EQ(normalized(R"({"type": "Prepend", "prepend": "_"})", ""), "");
  EXPECT_EQ(normalized(R"({"type": "Strip", "strip_left": true, "strip_right": false})", " a "),
            "a ");
  EXPECT_EQ(normalized(R"({"type": "Strip"})", "\u3000 "), "");
  EXPECT_EQ(normalized(R"({"type": "Replace", "pattern": {"String": "."}, "content": "-"})", "a.b"),
            "a-b");
}

TEST(AddedTokens, TakeTheLongestAtTheLeftmostPlace) {
  AddedTokens tokens;
  tokens.add({.content = "ab", .id = 1});
  tokens.add({.content = "abc", .id = 2});
  tokens.add({.content = "bcd", .id = 3});
  tokens.prepare([](std::string text) { return text; });
  const auto found = tokens.cut("xabcdab", false, [](std::size_t, std::size_t) { return true; });
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[1].id, 2);
  EXPECT_EQ(found[2].id, std::nullopt);  // the 'd'
  EXPECT_EQ(found[3].id, 1);
}

}  // namespace
}  // namespace hone::data
