// A tokenizer from a GGUF's metadata.
#include <gtest/gtest.h>

#include "data/tokenizer/byte_level.h"
#include "data/tokenizer/gguf_pre_tokenizer.h"
#include "data/tokenizer/gguf_vocabulary.h"
#include "unit/data/tokenizer/tokenizer_fixture.h"

namespace hone::data {
namespace {

using Ids = std::vector<TokenId>;

// The bytes, then <bos>, <end>, <user>, and a few merges.
GgufVocabulary small(const std::string& pre) {
  GgufVocabulary made;
  made.model = "gpt2";
  made.pre = pre;
  for (int byte = 0; byte < 256; ++byte) {
    made.tokens.push_back(to_byte_letters(std::string(1, static_cast<char>(byte))));
  }
  made.token_types.assign(256, 1);
  for (const char* token : {"<bos>", "<end>", "<user>"}) made.tokens.emplace_back(token);
  made.token_types.insert(made.token_types.end(), {3, 3, 4});
  for (const char* token : {"12", "123", "Ġa"}) made.tokens.emplace_back(token);
  made.token_types.insert(made.token_types.end(), {1, 1, 1});
  made.merges = {"1 2", "12 3", "Ġ a"};
  made.bos_id = 256;
  made.eos_id = 257;
  return made;
}

Tokenizer open(const GgufVocabulary& vocabulary) {
  return Tokenizer::from_gguf(vocabulary, "m.gguf");
}

TEST(Gguf, SplitsDigitsAsThePreTokenizerSays) {
  EXPECT_EQ(open(small("smollm")).encode("1234"), (Ids{'1', '2', '3', '4'}));
  EXPECT_EQ(open(small("gpt-2")).encode("1234"), (Ids{260, '4'}));
  EXPECT_EQ(open(small("llama-bpe")).encode("1231"), (Ids{260, '1'}));
  EXPECT_EQ(open(small("qwen2")).encode("123"), (Ids{'1', '2', '3'}));
  EXPECT_EQ(open(small("default")).encode("12 a"), (Ids{259, 261}));
}

TEST(Gguf, Qwen2ComposesCharacters) {
  EXPECT_EQ(open(small("qwen2")).encode("e\u0301"), bytes_of("\u00e9"));
  EXPECT_EQ(open(small("gpt-2")).encode("e\u0301"), bytes_of("e\u0301"));
}

TEST(Gguf, ControlAndUserTokensKeepTheirIds) {
  const Tokenizer tokenizer = open(small("smollm"));
  EXPECT_EQ(tokenizer.encode("<bos>a<user><end>"), (Ids{256, 'a', 258, 257}));
  EXPECT_TRUE(tokenizer.is_special(257));
  EXPECT_FALSE(tokenizer.is_special(258));
  EXPECT_EQ(tokenizer.bos_id(), 256);
  EXPECT_EQ(tokenizer.eos_id(), 257);
  EXPECT_EQ(tokenizer.pad_id(), std::nullopt);
  EXPECT_EQ(tokenizer.vocabulary_size(), 262U);
  EXPECT_EQ(tokenizer.decode({261, 257}, true), " a");
}

TEST(Gguf, AddsBosOnRequestWhereTheFileSaysSo) {
  GgufVocabulary vocabulary = small("smollm");
  vocabulary.add_bos = true;
  const Tokenizer tokenizer = open(vocabulary);
  EXPECT_EQ(tokenizer.encode("x"), (Ids{'x'}));
  EXPECT_EQ(tokenizer.encode("x", {.add_special_tokens = true}), (Ids{256, 'x'}));
}

TEST(Gguf, IsSavedAsAFolderWithTheSameIds) {
  GgufVocabulary vocabulary = small("llama-bpe");
  vocabulary.chat_template = "{{ messages }}";
  const Tokenizer tokenizer = open(vocabulary);
  const ScratchFolder folder;
  for (const TokenizerFile& file : tokenizer.files()) folder.write(file.name, file.content);
  const Tokenizer again = Tokenizer::from_folder(folder.path());
  const std::string text = "<bos>12345 a b<user> it's\n\n x<end>";
  EXPECT_EQ(again.encode(text), tokenizer.encode(text));
  EXPECT_EQ(again.special_tokens().eos, "<end>");
  EXPECT_EQ(again.chat_template(), "{{ messages }}");
}

TEST(Gguf, SaysWhenTheRuleForSplittingIsMissing) {
  const Tokenizer tokenizer = open(small(""));
  ASSERT_EQ(tokenizer.notes().size(), 1U);
  EXPECT_NE(tokenizer.notes().front().find("m.gguf: the file does not say how text is split"),
            std::string::npos);
}

std::string refused(const std::function<void(GgufVocabulary&)>& change) {
  GgufVocabulary vocabulary = small("smollm");
  change(vocabulary);
  return refusal([&] { open(vocabulary); });
}

TEST(Gguf, RefusesWhatItCannotRead) {
  EXPECT_NE(refused([](GgufVocabulary& v) {
              v.model = std::string("bert");
            }).find("m.gguf: tokenizer.ggml.model 'bert'"),
            std::string::npos);
  const std::string unknown = refused([](GgufVocabulary& v) { v.pre = std::string("smolm"); });
  EXPECT_NE(unknown.find("tokenizer.ggml.pre 'smolm'"), std::string::npos);
  EXPECT_NE(unknown.find("did you mean 'smollm'?"), std::string::npos);
  EXPECT_NE(refused([](GgufVocabulary& v) { v.tokens.clear(); }).find("it has no tokens"),
            std::string::npos);
  EXPECT_NE(refused([](GgufVocabulary& v) {
              v.token_types.pop_back();
            }).find("261 entries for 262 tokens"),
            std::string::npos);
  EXPECT_NE(refused([](GgufVocabulary& v) {
              v.tokens[5] = std::string(1, '\xff');
            }).find("token 5 is not UTF-8"),
            std::string::npos);
  EXPECT_NE(refused([](GgufVocabulary& v) {
              v.merges[1] = std::string(1, '\xff');
            }).find("merge 1 is not UTF-8"),
            std::string::npos);
  EXPECT_NE(refused([](GgufVocabulary& v) {
              v.tokens[5] = std::string(1, 'a');
            }).find("the token 'a' is there twice"),
            std::string::npos);
  EXPECT_NE(refused([](GgufVocabulary& v) { v.eos_id = 262; }).find("the id 262 and 262 tokens"),
            std::string::npos);
  EXPECT_NE(refused([](GgufVocabulary& v) {
              v.merges.emplace_back("a zz");
            }).find("'zz' is not in the vocabulary"),
            std::string::npos);
}

}  // namespace
}  // namespace hone::data
