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

TEST(TemplateRegistry, WithoutANameAChatTemplateIsRefusedWithItsLikeness) {
  const auto refused = [](const char* text) {
    return refusal([&] { choose_template(std::nullopt, with_chat_template(text)); });
  };
  const std::string llama3 = refused("{{ '<|start_header_id|>' }}");
  EXPECT_NE(llama3.find("template: not set"), std::string::npos);
  EXPECT_NE(llama3.find("hone does not run chat templates yet"), std::string::npos);
  EXPECT_NE(llama3.find("set template: llama3"), std::string::npos);
  EXPECT_NE(refused("<|im_start|> SmolLM").find("template: smollm2"), std::string::npos);
  EXPECT_NE(refused("<|im_start|> <think>").find("template: qwen3"), std::string::npos);
  EXPECT_NE(refused("<|im_start|> Qwen").find("template: qwen "), std::string::npos);
  EXPECT_NE(refused("<|im_start|>").find("template: chatml"), std::string::npos);
  EXPECT_NE(refused("[INST] <<SYS>>").find("template: llama2"), std::string::npos);
  EXPECT_NE(refused("[INST]").find("template: mistral"), std::string::npos);
  EXPECT_NE(refused("{{ x }}").find("set template: to one of aeva"), std::string::npos);
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
