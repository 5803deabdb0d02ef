// The tokenizer of SmolLM2-135M-Instruct against ids recorded from transformers.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "data/templates/registry.h"
#include "data/templates/template.h"
#include "data/tokenizer/gguf_vocabulary.h"
#include "data/tokenizer/tokenizer.h"
#include "formats/json.h"

namespace hone::data {
namespace {

using formats::Value;

class SmolLm2Tokenizer : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path path = HONE_SMOLLM2_GGUF;
    if (path.empty()) GTEST_SKIP() << "no model: configure with -DHONE_SMOLLM2_GGUF=FILE";
    const formats::GgufFile file(path);
    tokenizer_.emplace(Tokenizer::from_gguf(read_gguf_vocabulary(file), path.string()));
    reference_ = formats::read_json(HONE_SOURCE_ROOT "/tests/golden/data/smollm2_reference.json");
  }

  void expect_ids(const Value& entry, const char* text_key, const char* ids_key) const {
    const std::string& text = entry.find(text_key)->string();
    std::vector<TokenId> expected;
    for (const Value& id : entry.find(ids_key)->array()) {
      expected.push_back(static_cast<TokenId>(id.integer()));
    }
    EXPECT_EQ(tokenizer_->encode(text), expected) << text;
    EXPECT_EQ(tokenizer_->decode(expected, false), text);
  }

  std::optional<Tokenizer> tokenizer_;
  Value reference_;
};

TEST_F(SmolLm2Tokenizer, GivesTheRecordedIds) {
  for (const Value& entry : reference_.find("tokenizer")->array()) expect_ids(entry, "text", "ids");
  for (const Value& entry : reference_.find("chat")->array()) expect_ids(entry, "text", "ids");
  for (const Value& entry : reference_.find("greedy")->array()) {
    expect_ids(entry, "prompt", "prompt_ids");
  }
  expect_ids(*reference_.find("text"), "text", "ids");
}

TEST_F(SmolLm2Tokenizer, HasTheModelsRoles) {
  EXPECT_EQ(tokenizer_->bos_id(), 1);
  EXPECT_EQ(tokenizer_->eos_id(), 2);
  EXPECT_EQ(tokenizer_->pad_id(), 2);
  EXPECT_EQ(tokenizer_->vocabulary_size(), 49152U);
}

// The recorded conversations, with the system text that the model's own chat template assumes; the
// template's parts, encoded one by one, give the ids of the whole.
TEST_F(SmolLm2Tokenizer, TheTemplateGivesTheRecordedConversations) {
  const Template smollm2(find_template("smollm2"), {});
  for (const Value& entry : reference_.find("chat")->array()) {
    Conversation conversation;
    conversation.system = "You are a helpful AI assistant named SmolLM, trained by Hugging Face";
    for (const Value& message : entry.find("messages")->array()) {
      const std::string& role = message.find("role")->string();
      const std::string& content = message.find("content")->string();
      if (role == "system") {
        conversation.system = content;
      } else {
        conversation.messages.push_back({role == "user" ? Role::user : Role::assistant, content});
      }
    }
    if (conversation.messages.size() % 2 != 0) {
      conversation.messages.push_back({Role::assistant, ""});
      const auto [prompt, answer] = smollm2.render_oneturn(*tokenizer_, conversation);
      EXPECT_EQ(prompt, entry.find("text_with_generation_prompt")->string());
      continue;
    }
    const auto [prompt, answer] = smollm2.render_oneturn(*tokenizer_, conversation);
    EXPECT_EQ(prompt + answer, entry.find("text")->string());
    std::vector<TokenId> ids;
    for (const EncodedTurn& turn :
         smollm2.encode_multiturn(*tokenizer_, conversation, false).turns) {
      ids.insert(ids.end(), turn.prompt.begin(), turn.prompt.end());
      ids.insert(ids.end(), turn.response.begin(), turn.response.end());
    }
    EXPECT_EQ(ids, tokenizer_->encode(entry.find("text")->string()));
  }
}

}  // namespace
}  // namespace hone::data
