// Ids and texts recorded from the `tokenizers` package (record/record_tokenizers.py and
// record/record_sentencepiece.py).
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/json.h"
#include "unit/data/tokenizer/tokenizer_fixture.h"

namespace hone::data {
namespace {

std::vector<TokenId> ids_of(const formats::Value& list) {
  std::vector<TokenId> ids;
  for (const formats::Value& id : list.array()) ids.push_back(static_cast<TokenId>(id.integer()));
  return ids;
}

struct Kind {
  const char* folder;
  const char* name;
};

// The kind's file is a tokenizer.json, or a tokenizer.model that stands alone.
Tokenizer open(const Kind& kind) {
  const ScratchFolder folder;
  const std::string path = fmt::format("{}/{}/{}", HONE_TEST_DATA, kind.folder, kind.name);
  const bool json = std::filesystem::exists(path + ".json");
  std::filesystem::copy_file(path + (json ? ".json" : ".model"),
                             folder.path() / (json ? "tokenizer.json" : "tokenizer.model"));
  const bool legacy = kind.name == std::string_view("model_legacy");
  if (legacy) folder.write("tokenizer_config.json", R"({"legacy": true})");
  return Tokenizer::from_folder(folder.path());
}

class Recorded : public ::testing::TestWithParam<Kind> {
 protected:
  Recorded()
      : tokenizer_(open(GetParam())),
        document_(formats::read_json(
            fmt::format("{}/{}/recorded.json", HONE_TEST_DATA, GetParam().folder))),
        texts_(document_.find("texts")->array()),
        expected_(*document_.find("kinds")->find(GetParam().name)) {}

  std::string decoded(const char* key, std::size_t index) const {
    const formats::Value& value = expected_.find(key)->array()[index];
    if (value.is_string()) return value.string();
    // Null stands for what is written down already: the decoded text, or the text itself.
    const bool itself = key == std::string_view("decoded");
    return itself ? texts_[index].string() : decoded("decoded", index);
  }

  // The package does not know a special token again whose normalized form has another text, and
  // shows it; hone skips it.
  bool renames_special(const std::vector<TokenId>& ids) const {
    return std::any_of(ids.begin(), ids.end(), [&](TokenId id) {
      return tokenizer_.is_special(id) && tokenizer_.token_id(tokenizer_.token_text(id)) != id;
    });
  }

  Tokenizer tokenizer_;
  formats::Value document_;
  const formats::Array& texts_;
  const formats::Value& expected_;
};

TEST_P(Recorded, GivesTheSameIds) {
  ASSERT_GE(texts_.size(), 200U);
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    EXPECT_EQ(tokenizer_.encode(texts_[i].string()), ids_of(expected_.find("ids")->array()[i]))
        << texts_[i].string();
  }
}

TEST_P(Recorded, GivesTheSameIdsWithSplitSpecialTokens) {
  std::size_t changed = 0;
  for (const formats::Value& entry : expected_.find("split_special_tokens")->array()) {
    const std::string& text = texts_[static_cast<std::size_t>(entry.array()[0].integer())].string();
    EXPECT_EQ(tokenizer_.encode(text, {.split_special_tokens = true}), ids_of(entry.array()[1]))
        << text;
    ++changed;
  }
  EXPECT_GT(changed, 15U);
}

TEST_P(Recorded, DecodesToTheSameText) {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const std::vector<TokenId> ids = tokenizer_.encode(texts_[i].string());
    EXPECT_EQ(tokenizer_.decode(ids, false), decoded("decoded", i));
    if (renames_special(ids)) continue;
    EXPECT_EQ(tokenizer_.decode(ids, true), decoded("decoded_without_special", i));
  }
}

TEST_P(Recorded, StreamsWholeCharactersOnly) {
  for (const formats::Value& text : texts_) {
    const std::vector<TokenId> ids = tokenizer_.encode(text.string());
    StreamDecoder stream(tokenizer_, false);
    std::string together;
    for (const TokenId id : ids) {
      const std::string part = stream.push(id);
      const bool began_inside =
          !part.empty() && (static_cast<unsigned char>(part.front()) & 0xc0U) == 0x80U;
      EXPECT_FALSE(began_inside) << text.string();
      together += part;
    }
    EXPECT_EQ(together + stream.finish(), tokenizer_.decode(ids, false));
  }
}

std::string name_of(const ::testing::TestParamInfo<Kind>& kind) {
  return kind.param.name;
}

constexpr Kind kByteLevel[] = {{"tokenizers", "gpt2"},   {"tokenizers", "llama3"},
                               {"tokenizers", "qwen2"},  {"tokenizers", "smollm"},
                               {"tokenizers", "folded"}, {"tokenizers", "words"}};
INSTANTIATE_TEST_SUITE_P(ByteLevel, Recorded, ::testing::ValuesIn(kByteLevel), name_of);

constexpr Kind kSentencePiece[] = {
    {"sentencepiece", "llama_legacy"},  {"sentencepiece", "llama_normalized"},
    {"sentencepiece", "llama_first"},   {"sentencepiece", "gemma"},
    {"sentencepiece", "unknown_fused"}, {"sentencepiece", "unknown_single"},
    {"sentencepiece", "unknown_none"},  {"sentencepiece", "t5"},
    {"sentencepiece", "xlm_r"},         {"sentencepiece", "unigram_first"},
    {"sentencepiece", "albert"},        {"sentencepiece", "unigram_bytes"},
    {"sentencepiece", "bert_parts"},    {"sentencepiece", "odd_parts"},
    {"sentencepiece", "model_bpe"},     {"sentencepiece", "model_legacy"},
    {"sentencepiece", "model_unigram"}, {"sentencepiece", "model_marked"}};
INSTANTIATE_TEST_SUITE_P(SentencePiece, Recorded, ::testing::ValuesIn(kSentencePiece), name_of);

}  // namespace
}  // namespace hone::data
