#include "data/templates/registry.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "unit/data/templates/template_fixture.h"

namespace hone::data {
namespace {

Tokenizer with_chat_template(const std::string& text) {
  Tokenizer tokenizer = b256();
  tokenizer.set_chat_template(text);
  return tokenizer;
}

TEST(TemplateRegistry, HasTheTemplatesByName) {
  const std::vector<std::string> names = template_names();
  EXPECT_EQ(names.size(), 124U);
  EXPECT_TRUE(std::adjacent_find(names.begin(), names.end(), std::greater_equal<>()) ==
              names.end());
  for (const std::string& name : names) EXPECT_EQ(find_template(name).name, name);
}

TEST(TemplateRegistry, RefusesOtherNames) {
  const auto refused = [](const char* name) { return refusal([&] { find_template(name); }); };
  EXPECT_NE(refused("baichuan2").find("template: 'baichuan2'"), std::string::npos);
  EXPECT_NE(refused("lama3").find("no such template (did you mean 'llama3'?)"), std::string::npos);
  EXPECT_NE(refused("").find("use one of aeva, alpaca"), std::string::npos);
}

TEST(TemplateRegistry, WithoutANameTheModelsOwnTemplateIsTakenAndItsLikenessNamed) {
  const auto note = [](const char* text) {
    const TemplateChoice choice = choose_template(std::nullopt, with_chat_template(text));
    EXPECT_EQ(choice.definition.kind, TemplateClass::own);
    EXPECT_EQ(choice.notes.size(), 1U);
    return choice.notes.front();
  };
  EXPECT_EQ(note("{{ x }}"), "template: not set; the model's own chat template writes the texts");
  EXPECT_NE(note("<|start_header_id|>").find("the markers of template: llama3"), std::string::npos);
  EXPECT_NE(note("<|im_start|> SmolLM").find("template: smollm2"), std::string::npos);
  EXPECT_NE(note("<|im_start|> <think>").find("template: qwen3)"), std::string::npos);
  EXPECT_NE(note("<|im_start|> Qwen").find("template: qwen)"), std::string::npos);
  EXPECT_NE(note("<|im_start|>").find("template: chatml"), std::string::npos);
  EXPECT_NE(note("[INST] <<SYS>>").find("template: llama2"), std::string::npos);
  EXPECT_NE(note("[INST]").find("template: mistral"), std::string::npos);
  const std::string refused =
      refusal([] { choose_template(std::nullopt, with_chat_template("{% include 'x' %}")); });
  EXPECT_NE(refused.find("the model's chat template, line 1"), std::string::npos);
  EXPECT_NE(refused.find("the tag 'include', which is not there"), std::string::npos);
}

TEST(TemplateRegistry, PromptsCannotBeLearntWhereTheyCarryTheEndOfAnswers) {
  const std::string text = refusal([] { check_prompts_can_be_learnt(find_template("glm4")); });
  EXPECT_NE(text.find("train_on_prompt: true"), std::string::npos);
  EXPECT_NE(text.find("template 'glm4' marks the end of an answer on the prompt behind it"),
            std::string::npos);
  check_prompts_can_be_learnt(find_template("qwen3"));
}

TEST(TemplateRegistry, WithoutANameAndAChatTemplateItIsEmpty) {
  const TemplateChoice choice = choose_template(std::nullopt, b256());
  EXPECT_EQ(choice.definition.name, "empty");
  ASSERT_EQ(choice.notes.size(), 1U);
  EXPECT_NE(choice.notes[0].find("'empty' is used"), std::string::npos);
}

TEST(TemplateRegistry, ANameWinsAndReasoningIsTold) {
  const Tokenizer tokenizer = with_chat_template("[INST]");
  EXPECT_EQ(choose_template("chatml", tokenizer).definition.name, "chatml");
  EXPECT_TRUE(choose_template("chatml", tokenizer).notes.empty());
  const TemplateChoice qwen3 = choose_template("qwen3", tokenizer);
  ASSERT_EQ(qwen3.notes.size(), 1U);
  EXPECT_NE(qwen3.notes[0].find("models that think before they answer"), std::string::npos);
}

}  // namespace
}  // namespace hone::data
