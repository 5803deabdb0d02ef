// tokenizer.model alone, and the vocabularies of GGUF files that are SentencePiece's.
#include <cstring>
#include <ctime>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/tokenizer/gguf_vocabulary.h"
#include "data/tokenizer/sentencepiece_model.h"
#include "unit/data/tokenizer/tokenizer_fixture.h"

namespace hone::data {
namespace {

using Ids = std::vector<TokenId>;

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80U));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

std::string number_field(unsigned field, std::uint64_t value) {
  return varint(field << 3) + varint(value);
}

std::string bytes_field(unsigned field, const std::string& bytes) {
  return varint((field << 3) | 2U) + varint(bytes.size()) + bytes;
}

std::string piece(const std::string& text, float score, unsigned type) {
  std::string bits(sizeof score, '\0');
  std::memcpy(bits.data(), &score, sizeof score);
  return bytes_field(1,
                     bytes_field(1, text) + varint((2 << 3) | 5U) + bits + number_field(3, type));
}

// <unk> <s> </s>, ▁ a b ab ▁a ▁▁ as ids 3 to 8, <usr> 9, and the 256 bytes from 10 on.
const std::vector<std::string> kNormal = {"▁", "a", "b", "ab", "▁a", "▁▁"};

std::string small_model(const std::string& trainer, const std::string& normalizer) {
  std::string bytes = piece("<unk>", 0, 2) + piece("<s>", 0, 3) + piece("</s>", 0, 3);
  float score = -1;
  for (const std::string& text : kNormal) bytes += piece(text, score--, 1);
  bytes += piece("<usr>", 0, 4);
  for (unsigned byte = 0; byte < 256; ++byte) bytes += piece(fmt::format("<0x{:02X}>", byte), 0, 6);
  return bytes + bytes_field(2, trainer) + bytes_field(3, normalizer);
}

const std::string kBpe = number_field(3, 2) + number_field(35, 1);
const std::string kIdentity = number_field(4, 0);  // extra spaces stay

Tokenizer open(const std::string& model, const std::string& config = "") {
  const ScratchFolder folder;
  folder.write("tokenizer.model", model);
  if (!config.empty()) folder.write("tokenizer_config.json", config);
  return Tokenizer::from_folder(folder.path());
}

TEST(SentencePiece, MergesByScoreAndSpellsUnknownTextAsBytes) {
  const Tokenizer tokenizer = open(small_model(kBpe, kIdentity));
  EXPECT_EQ(tokenizer.encode("ab"), (Ids{3, 6}));  // ab has the better score than ▁a
  EXPECT_EQ(tokenizer.encode("a a"), (Ids{7, 7}));
  EXPECT_EQ(tokenizer.encode("\u00e9"), (Ids{3, 10 + 0xc3, 10 + 0xa9}));
  EXPECT_EQ(tokenizer.decode({7, 10 + 0xc3, 10 + 0xa9, 3, 6}, false), "aé ab");
  EXPECT_EQ(tokenizer.encode("a", {.add_special_tokens = true}), (Ids{1, 7}));
}

TEST(SentencePiece, LegacyPutsTheSpaceBeforeEveryStretchOfText) {
  const std::string model = small_model(kBpe, kIdentity);
  const Tokenizer newer = open(model);
  const Tokenizer legacy = open(model, R"({"legacy": true})");
  EXPECT_EQ(newer.encode("a</s>a"), (Ids{7, 2, 4}));
  EXPECT_EQ(legacy.encode("a</s>a"), (Ids{7, 2, 7}));
  EXPECT_EQ(newer.encode(" a"), (Ids{7}));
  EXPECT_EQ(legacy.encode(" a"), (Ids{3, 7}));
  const Tokenizer without = open(small_model(kBpe, kIdentity + number_field(3, 0)));
  EXPECT_EQ(without.encode("a</s>a a"), (Ids{4, 2, 4, 7}));
}

TEST(SentencePiece, RolesComeFromTheTrainingWhereTheConfigurationHasNone) {
  const Tokenizer tokenizer = open(small_model(kBpe, kIdentity));
  EXPECT_EQ(tokenizer.bos_id(), 1);
  EXPECT_EQ(tokenizer.eos_id(), 2);
  EXPECT_EQ(tokenizer.pad_id(), std::nullopt);
  EXPECT_EQ(tokenizer.special_tokens().unk, "<unk>");
  EXPECT_TRUE(tokenizer.is_special(2));
  EXPECT_FALSE(tokenizer.is_special(9));
  EXPECT_EQ(tokenizer.encode("a<usr>"), (Ids{7, 9}));
  const Tokenizer stated =
      open(small_model(kBpe, kIdentity),
           R"({"eos_token": "<usr>", "add_bos_token": false, "pad_token": "<pad>"})");
  EXPECT_EQ(stated.eos_id(), 9);
  EXPECT_EQ(stated.pad_id(), 266);  // a new one, behind the pieces
  EXPECT_EQ(stated.encode("a", {.add_special_tokens = true}), (Ids{7}));
}

TEST(SentencePiece, IsSavedAsATokenizerJsonWithTheSameIds) {
  const Tokenizer tokenizer = open(small_model(kBpe, kIdentity));
  const ScratchFolder folder;
  for (const TokenizerFile& file : tokenizer.files()) folder.write(file.name, file.content);
  const Tokenizer again = Tokenizer::from_folder(folder.path());
  const std::string text = " a  ab\u00e9</s> ab<usr>b";
  EXPECT_EQ(again.encode(text), tokenizer.encode(text));
  EXPECT_EQ(again.eos_id(), 2);
}

TEST(SentencePiece, LongRunsTakeTimeInProportion) {
  const Tokenizer tokenizer = open(small_model(kBpe, kIdentity));
  const std::clock_t start = std::clock();
  EXPECT_EQ(tokenizer.encode(std::string(100'000, 'a')).size(), 100'000U);
  EXPECT_EQ(tokenizer.encode(std::string(100'000, ' ')).size(), 50'000U);
  EXPECT_EQ(tokenizer.encode(std::string(100'000, 'x')).size(), 100'001U);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 1.5);
}

TEST(SentencePiece, RefusesWhatIsNoModel) {
  const auto refused = [](const std::string& bytes, const std::string& config = "") {
    return refusal([&] { open(bytes, config); });
  };
  EXPECT_NE(refused("").find("it has no pieces"), std::string::npos);
  EXPECT_NE(refused("x").find("no SentencePiece model"), std::string::npos);
  EXPECT_NE(refused("IQ== 0\nIg== 1\n").find("a list of tokens in base 64 (tiktoken's format)"),
            std::string::npos);
  const std::string whole = small_model(kBpe, kIdentity);
  EXPECT_NE(refused(whole.substr(0, 25)).find("a field of"), std::string::npos);
  EXPECT_NE(refused(std::string("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12))
                .find("a number of more than ten bytes"),
            std::string::npos);
  EXPECT_NE(refused(std::string("\x0b", 1)).find("a field of the wire type 3"), std::string::npos);
  EXPECT_NE(refused(std::string("\x02\x00", 2)).find("a field with the number 0"),
            std::string::npos);
  EXPECT_NE(refused(number_field(1, 7)).find("field 1 has the wire type 0 where 2 belongs"),
            std::string::npos);
  EXPECT_NE(refused(whole + piece("", 0, 1)).find("it is empty"), std::string::npos);
  EXPECT_NE(refused(whole + piece("a", 0, 1)).find("the pieces 4 and 266 are both 'a'"),
            std::string::npos);
  EXPECT_NE(refused(whole + piece("\xff", 0, 1)).find("it is not UTF-8"), std::string::npos);
  EXPECT_NE(refused(whole + piece("n", std::stof("nan"), 1)).find("its score is no number"),
            std::string::npos);
  EXPECT_NE(refused(whole + piece("n", 0, 9)).find("a piece of the type 9"), std::string::npos);
  EXPECT_NE(refused(whole + piece(std::string(2000, 'n'), 0, 1)).find("it has 2000 bytes"),
            std::string::npos);
  EXPECT_NE(refused(small_model(number_field(3, 4), "")).find("a model of single characters"),
            std::string::npos);
  EXPECT_NE(refused(small_model(number_field(3, 3), "")).find("a model of whole words"),
            std::string::npos);
  EXPECT_NE(refused(small_model(number_field(3, 7), "")).find("the model type 7"),
            std::string::npos);
  EXPECT_NE(refused(small_model(kBpe + number_field(24, 1), "")).find("the word before them"),
            std::string::npos);
  EXPECT_NE(refused(whole, R"({"tokenizer_class": "T5TokenizerFast"})")
                .find("T5TokenizerFast, which gives other ids to the pieces"),
            std::string::npos);
}

// Every cut of the file is refused or read; none does anything else.
TEST(SentencePiece, SurvivesEveryBeginningOfAFile) {
  const std::string whole = small_model(kBpe, kIdentity);
  for (std::size_t size = 1; size < whole.size(); size += 7) {
    try {
      read_sentencepiece_model(std::string_view(whole).substr(0, size), "m");
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("m"), std::string::npos);
    }
  }
}

GgufVocabulary small_gguf() {
  GgufVocabulary made;
  made.model = "llama";
  const auto add = [&](const std::string& token, double score, std::int32_t type) {
    made.tokens.push_back(token);
    made.scores.push_back(score);
    made.token_types.push_back(type);
  };
  add("<unk>", 0, 2);
  add("<s>", 0, 3);
  add("</s>", 0, 3);
  double score = -1;
  for (const std::string& text : kNormal) add(text, score--, 1);
  add("<usr>", 0, 4);
  for (unsigned byte = 0; byte < 256; ++byte) add(fmt::format("<0x{:02X}>", byte), 0, 6);
  made.bos_id = 1;
  made.eos_id = 2;
  made.unk_id = 0;
  return made;
}

TEST(SentencePiece, OfAGgufIsReadAsLlamaCppReadsIt) {
  const Tokenizer tokenizer = Tokenizer::from_gguf(small_gguf(), "m.gguf");
  EXPECT_EQ(tokenizer.encode("a</s>a"), (Ids{7, 2, 7}));
  EXPECT_EQ(tokenizer.encode("ab\u00e9<usr>"), (Ids{3, 6, 10 + 0xc3, 10 + 0xa9, 9}));
  EXPECT_EQ(tokenizer.encode("a", {.add_special_tokens = true}), (Ids{1, 7}));
  EXPECT_TRUE(tokenizer.notes().empty());
  GgufVocabulary gemma = small_gguf();
  gemma.add_space_prefix = false;
  gemma.add_bos = false;
  const Tokenizer plain = Tokenizer::from_gguf(gemma, "m.gguf");
  EXPECT_EQ(plain.encode("a</s> a", {.add_special_tokens = true}), (Ids{4, 2, 7}));
  EXPECT_EQ(plain.decode({7, 6}, false), " aab");
}

TEST(SentencePiece, OfAGgufIsRefusedWithoutItsScores) {
  const auto refused = [](const std::function<void(GgufVocabulary&)>& change) {
    GgufVocabulary vocabulary = small_gguf();
    change(vocabulary);
    return refusal([&] { Tokenizer::from_gguf(vocabulary, "m.gguf"); });
  };
  EXPECT_NE(refused([](GgufVocabulary& v) {
              v.scores.clear();
            }).find("0 scores and 266 token types for 266 tokens"),
            std::string::npos);
  EXPECT_NE(refused([](GgufVocabulary& v) { v.token_types[3] = 9; }).find("the type 9 of token 3"),
            std::string::npos);
  EXPECT_NE(refused([](GgufVocabulary& v) { v.tokens[4] = std::string("b"); }).find("are both 'b'"),
            std::string::npos);
  EXPECT_NE(refused([](GgufVocabulary& v) { v.bos_id = 999; }).find("the id 999 and 266 tokens"),
            std::string::npos);
}

}  // namespace
}  // namespace hone::data
