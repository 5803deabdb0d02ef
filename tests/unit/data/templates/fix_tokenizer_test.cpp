// What a template changes about a tokenizer.
#include <gtest/gtest.h>

#include "data/templates/chat_template_text.h"
#include "unit/data/templates/template_fixture.h"

namespace hone::data {
namespace {

using Texts = std::vector<std::string>;

TEST(FixTokenizer, ReplacesEosAndAddsStopWords) {
  Tokenizer tokenizer = b256();
  const Template llama3 = make_template("llama3");
  const TokenizerChanges changes = llama3.fix_tokenizer(tokenizer);
  EXPECT_EQ(changes.notes,
            (Texts{"Replace eos token: <|eot_id|>.", "Add <|eom_id|> to stop words."}));
  EXPECT_EQ(changes.new_tokens, (Texts{"<|eot_id|>", "<|eom_id|>"}));
  EXPECT_EQ(tokenizer.eos_id(), 261);
  EXPECT_EQ(tokenizer.pad_id(), 260);
  EXPECT_EQ(llama3.stop_ids(tokenizer), (std::vector<TokenId>{261, 262}));
  EXPECT_EQ(tokenizer.encode("<|eot_id|>"), (std::vector<TokenId>{261}));
}

TEST(FixTokenizer, KeepsWhatFits) {
  Tokenizer tokenizer = b256();
  const Template chatml = make_template("chatml");
  const TokenizerChanges changes = chatml.fix_tokenizer(tokenizer);
  EXPECT_EQ(changes.notes,
            (Texts{"Replace eos token: <|im_end|>.", "Add <|im_start|> to stop words."}));
  EXPECT_TRUE(changes.new_tokens.empty());
  EXPECT_EQ(chatml.stop_ids(tokenizer), (std::vector<TokenId>{257, 258}));
  EXPECT_EQ(make_template("qwen").fix_tokenizer(tokenizer).notes, Texts{});
}

TEST(FixTokenizer, FillsWhatIsMissing) {
  Tokenizer tokenizer =
      b256([](formats::Value&, formats::Value& config) { config = formats::Object{}; });
  const Template alpaca = make_template("alpaca");
  const TokenizerChanges changes = alpaca.fix_tokenizer(tokenizer);
  EXPECT_EQ(changes.notes,
            (Texts{"Add eos token: <|endoftext|>.", "Add pad token: <|endoftext|>."}));
  EXPECT_TRUE(changes.new_tokens.empty());
  EXPECT_EQ(tokenizer.eos_id(), 256);
  EXPECT_EQ(tokenizer.pad_id(), 256);
  EXPECT_EQ(alpaca.stop_ids(tokenizer), (std::vector<TokenId>{256}));
}

TEST(FixTokenizer, WritesAChatTemplateWhereThereIsNoneOrTheTemplateInsists) {
  Tokenizer tokenizer = b256();
  make_template("smollm2").fix_tokenizer(tokenizer);
  const std::string written = tokenizer.chat_template().value_or("");
  EXPECT_NE(written.find("<|im_start|>user"), std::string::npos);
  make_template("llama2").fix_tokenizer(tokenizer);
  EXPECT_EQ(tokenizer.chat_template(), written);  // kept
  make_template("default").fix_tokenizer(tokenizer);
  EXPECT_NE(tokenizer.chat_template()->find("Human: "), std::string::npos);  // replaced
}

TEST(FixTokenizer, SaysWhenATemplateHasNoJinjaForm) {
  TemplateDefinition definition = find_template("smollm2");
  definition.prefix = {{Slot::Kind::token, "<|pad|>"}};
  Tokenizer tokenizer = b256();
  const TokenizerChanges changes = Template(definition, {}).fix_tokenizer(tokenizer);
  EXPECT_EQ(changes.notes.back(),
            "Template smollm2 cannot be written as a chat template; none is saved.");
  EXPECT_EQ(tokenizer.chat_template(), std::nullopt);
}

TEST(ChatTemplateText, IsJinja) {
  EXPECT_EQ(chat_template_text(find_template("default"), b256()),
            "{% if messages[0]['role'] == 'system' %}{% set system_message = "
            "messages[0]['content'] %}{% set loop_messages = messages[1:] %}{% else %}"
            "{% set loop_messages = messages %}{% endif %}{% if system_message is defined %}"
            "{{ 'System: ' + system_message + '<|endoftext|>' + '\n' }}{% endif %}"
            "{% for message in loop_messages %}{% set content = message['content'] %}"
            "{% if message['role'] == 'user' %}"
            "{{ 'Human: ' + content + '<|endoftext|>' + '\nAssistant:' }}"
            "{% elif message['role'] == 'assistant' %}{{ content + '<|endoftext|>' + '\n' }}"
            "{% endif %}{% endfor %}");
}

TEST(ChatTemplateText, FusesSystemTextIntoTheFirstMessage) {
  const std::string text = *chat_template_text(find_template("mistral"), b256());
  EXPECT_EQ(text.find("{{ '<|begin_of_text|>' }}"), 0U);
  EXPECT_NE(text.find("{% set content = system_message + '\n\n' + message['content'] %}"),
            std::string::npos);
}

TEST(ChatTemplateText, EscapesQuotesAndBackslashes) {
  TemplateDefinition definition = find_template("chatml");
  definition.default_system = "it's \\ so";
  EXPECT_NE(
      chat_template_text(definition, b256())->find("{% set system_message = 'it\\'s \\\\ so' %}"),
      std::string::npos);
}

}  // namespace
}  // namespace hone::data
