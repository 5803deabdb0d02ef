#include "data/templates/registry.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest_name.h"
#include "data/templates/own_template.h"
#include "data/templates/template_table.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

// The template whose markers a chat template's text has; empty when it resembles none.
std::string resembled_template(const std::string& text) {
  const auto has = [&](std::string_view marker) { return text.find(marker) != std::string::npos; };
  if (has("<|start_header_id|>")) return "llama3";
  if (has("<|im_start|>")) {
    if (has("SmolLM")) return "smollm2";
    if (has("<think>")) return "qwen3";
    return has("Qwen") ? "qwen" : "chatml";
  }
  if (has("<<SYS>>")) return "llama2";
  return has("[INST]") ? "mistral" : "";
}

}  // namespace

std::vector<std::string> template_names() {
  std::vector<std::string> names;
  for (const TemplateDefinition& definition : template_table()) names.push_back(definition.name);
  std::sort(names.begin(), names.end());
  return names;
}

TemplateDefinition find_template(std::string_view name) {
  for (const TemplateDefinition& definition : template_table()) {
    if (definition.name == name) return definition;
  }
  const std::vector<std::string> known = template_names();
  throw UserError({fmt::format("template: '{}'", formats::printable(name)),
                   fmt::format("no such template{}", did_you_mean(name, known)),
                   fmt::format("use one of {}", fmt::join(known, ", "))});
}

TemplateChoice choose_template(const std::optional<std::string>& name, const Tokenizer& tokenizer) {
  TemplateChoice choice;
  if (name) {
    choice.definition = find_template(*name);
    if (choice.definition.kind == TemplateClass::reasoning) {
      choice.notes.push_back(fmt::format(
          "template '{}' is for models that think before they answer: answers without a thought "
          "get an empty one",
          *name));
    }
    return choice;
  }
  if (const std::optional<std::string>& text = tokenizer.chat_template()) {
    const std::string near = resembled_template(*text);
    choice.definition = own_template(*text, near, tokenizer);
    choice.notes.push_back(fmt::format(
        "template: not set; the model's own chat template writes the texts{}",
        near.empty() ? "" : fmt::format(" (it has the markers of template: {})", near)));
    return choice;
  }
  choice.definition = find_template("empty");
  choice.notes.emplace_back(
      "template: not set, and the model has no chat template; 'empty' is used: texts are learnt as "
      "they are, without roles or an end token");
  return choice;
}

void check_prompts_can_be_learnt(const TemplateDefinition& definition) {
  if (!definition.efficient_eos) return;
  throw UserError({"train_on_prompt: true",
                   fmt::format("template '{}' marks the end of an answer on the prompt behind it, "
                               "where the prompt's own label would stand",
                               definition.name),
                   "leave train_on_prompt out, or use another template"});
}

}  // namespace hone::data
