// Ids and texts recorded from the `tokenizers` package (record/record_tokenizers.py).
#include <algorithm>

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

Tokenizer open(const std::string& kind) {
  const ScratchFolder folder;
  std::filesystem::copy_file(HONE_TEST_DATA "/tokenizers/" + kind + ".json",
                             folder.path() / "tokenizer.json");
  return Tokenizer::from_folder(folder.path());
}

class Recorded : public ::testing::TestWithParam<const char*> {
 protected:
  Recorded()
      : tokenizer_(open(GetParam())),
        document_(formats::read_json(HONE_TEST_DATA "/tokenizers/recorded.json")),
        texts_(document_.find("texts")->array()),
        expected_(*document_.find("kinds")->find(GetParam())) {}

  std::string decoded(const char* key, std::size_t index) const {
    return expected_.find(key)->array()[index].string();
  }

  Tokenizer tokenizer_;
  formats::Value document_;
  const formats::Array& texts_;
  const formats::Value& expected_;
};

TEST_P(Recorded, GivesTheSameIds) {
  ASSERT_GE(texts_.size(), 300U);
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
  EXPECT_GT(changed, 20U);
}

TEST_P(Recorded, DecodesToTheSameText) {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const std::vector<TokenId> ids = tokenizer_.encode(texts_[i].string());
    EXPECT_EQ(tokenizer_.decode(ids, false), decoded("decoded", i));
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

INSTANTIATE_TEST_SUITE_P(Kinds, Recorded,
                         ::testing::Values("gpt2", "llama3", "qwen2", "smollm", "folded", "words"),
                         [](const auto& kind) { return std::string(kind.param); });

}  // namespace
}  // namespace hone::data
