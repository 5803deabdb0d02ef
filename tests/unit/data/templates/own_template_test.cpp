// Conversations written by the model's own chat template.
#include "data/templates/own_template.h"

#include <gtest/gtest.h>

#include "unit/data/templates/template_fixture.h"

namespace hone::data {
namespace {

const std::string kPlain =
    "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content | trim }}"
    "{% for c in m.tool_calls or [] %}{{ c.function | tojson }}{% endfor %}</>\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}";

Tokenizer with_template(const std::string& text) {
  Tokenizer tokenizer = showing_tokenizer();
  tokenizer.set_chat_template(text);
  return tokenizer;
}

Template own(const Tokenizer& tokenizer, TemplateOptions options = {}) {
  return Template(choose_template(std::nullopt, tokenizer).definition, std::move(options));
}

std::vector<std::string> texts(const std::string& source, const Conversation& conversation,
                               TemplateOptions options = {}) {
  const Tokenizer tokenizer = with_template(source);
  std::vector<std::string> all;
  const Template made = own(tokenizer, std::move(options));
  for (const EncodedTurn& turn : made.encode_multiturn(tokenizer, conversation, false).turns) {
    for (const std::vector<TokenId>* ids : {&turn.prompt, &turn.response}) {
      std::string text;
      for (const std::string& piece : pieces_of(tokenizer, *ids)) text += piece;
      all.push_back(text);
    }
  }
  return all;
}

using Texts = std::vector<std::string>;

TEST(OwnTemplate, CutsTheRenderingIntoPromptsAndAnswers) {
  EXPECT_EQ(texts(kPlain, talk({"Q1", "A1", "Q2", "A2"}, "SYS")),
            (Texts{kBos + "<system>SYS</>\n<user>Q1</>\n<assistant>", "A1</>\n",
                   "<user>Q2</>\n<assistant>", "A2</>\n"}));
  EXPECT_EQ(texts(kPlain, talk({"Q", "A"}), {.default_system = "D"})[0],
            kBos + "<system>D</>\n<user>Q</>\n<assistant>");
}

TEST(OwnTemplate, GivesToolsAndCallsAsTransformersDoes) {
  Conversation conversation = talk({"Q", R"({"name": "f", "arguments": {"x": 1}})", "OBS", "A"});
  conversation.messages[1].role = Role::function;
  conversation.messages[2].role = Role::observation;
  conversation.tools = R"([{"name": "f"}])";
  const std::string source = "{{ tools | tojson if tools else '-' }}" + kPlain;
  EXPECT_EQ(texts(source, conversation),
            (Texts{R"([{"type": "function", "function": {"name": "f"}}])" + kBos +
                       "<user>Q</>\n<assistant>",
                   R"({"name": "f", "arguments": {"x": 1}})"
                   "</>\n",
                   "<tool>OBS</>\n<assistant>", "A</>\n"}));
  EXPECT_EQ(texts(source, talk({"Q", "A"}))[0].substr(0, 1), "-");
}

TEST(OwnTemplate, TellsTheTemplateNotToThink) {
  const std::string source = "{{ enable_thinking is defined }}" + kPlain;
  EXPECT_EQ(texts(source, talk({"Q", "A"}))[0].substr(0, 5), "False");
  EXPECT_EQ(texts(source, talk({"Q", "A"}), {.enable_thinking = false})[0].substr(0, 4), "True");
}

TEST(OwnTemplate, CountsControlTokensInTheRecordsTexts) {
  const Tokenizer tokenizer = with_template(kPlain);
  const EncodedConversation encoded =
      own(tokenizer).encode_multiturn(tokenizer, talk({" x" + kEos, "A"}), false);
  EXPECT_EQ(encoded.control_tokens_in_text, 1U);
}

TEST(OwnTemplate, GivesThePromptOfAnAnswerThatIsNotThereYet) {
  const Tokenizer tokenizer = with_template(kPlain);
  const auto [prompt, answer] =
      own(tokenizer).render_oneturn(tokenizer, talk({"Q1", "A1", "Q2", ""}));
  EXPECT_EQ(prompt, kBos + "<user>Q1</>\n<assistant>A1</>\n<user>Q2</>\n<assistant>");
  EXPECT_EQ(answer, "");
  EXPECT_EQ(own(tokenizer).render_oneturn(tokenizer, talk({"Q1", "A1"})).second, "A1</>\n");
}

TEST(OwnTemplate, RefusesTemplatesThatRewriteEarlierAnswers) {
  const std::string forgets =
      "{% for m in messages %}<|im_start|>{{ m.content if loop.last or m.role == 'user' else '-' }}"
      "{% endfor %}";
  EXPECT_EQ(texts(forgets, talk({"Q", "A"})).size(), 2U);
  const std::string text = refusal([&] { texts(forgets, talk({"Q1", "A1", "Q2", "A2"})); });
  EXPECT_NE(text.find("template: not set, so the model's own chat template"), std::string::npos);
  EXPECT_NE(text.find("earlier answers are not written as they were"), std::string::npos);
  EXPECT_NE(text.find("set template: chatml (the chat template has its markers)"),
            std::string::npos);
  const std::string turned = refusal([&] {
    texts("{% for m in messages | reverse %}{{ m.content }}{% endfor %}", talk({"Q", "A"}));
  });
  EXPECT_NE(turned.find("an answer is not written behind its prompt"), std::string::npos);
  EXPECT_NE(turned.find("name a template with template: NAME"), std::string::npos);
}

TEST(OwnTemplate, RefusesOptionsThatItCannotFollow) {
  const Tokenizer tokenizer = with_template(kPlain);
  const std::string text =
      refusal([&] { own(tokenizer, {.tool_format = "qwen", .split_special_tokens = true}); });
  EXPECT_NE(text.find("tool_format: qwen"), std::string::npos);
  EXPECT_NE(text.find("split_special_tokens: true"), std::string::npos);
  EXPECT_NE(text.find("the model's own chat template has no such"), std::string::npos);
}

}  // namespace
}  // namespace hone::data
