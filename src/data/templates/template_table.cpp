#include "data/templates/template_table.h"

#include <algorithm>

#include "base/error.h"
#include "data/templates/template_entry.h"

namespace hone::data {

namespace {

// What LLaMA-Factory's registration assumes for what a template does not say.
TemplateDefinition registration_defaults() {
  TemplateDefinition made;
  made.system = {text("{{content}}")};
  made.user = {text("{{content}}")};
  made.assistant = {text("{{content}}"), eos()};
  made.observation = made.user;
  made.function = made.assistant;
  return made;
}

template <class T>
void take(const std::optional<T>& stated, T& member) {
  if (stated) member = *stated;
}

TemplateDefinition applied(TemplateDefinition made, const TemplateEntry& entry) {
  made.name = entry.name;
  take(entry.kind, made.kind);
  take(entry.prefix, made.prefix);
  take(entry.system, made.system);
  take(entry.user, made.user);
  take(entry.user, made.observation);
  take(entry.assistant, made.assistant);
  take(entry.assistant, made.function);
  take(entry.observation, made.observation);
  take(entry.function, made.function);
  take(entry.tools, made.tools_format);
  take(entry.tools, made.function_format);
  take(entry.default_system, made.default_system);
  take(entry.stop_words, made.stop_words);
  take(entry.thought_words, made.thought_words);
  take(entry.tool_call_words, made.tool_call_words);
  take(entry.closing_thought_alone, made.closing_thought_alone);
  take(entry.trims_lone_tools, made.trims_lone_tools);
  take(entry.efficient_eos, made.efficient_eos);
  take(entry.replace_eos, made.replace_eos);
  take(entry.replace_chat_template, made.replace_chat_template);
  take(entry.sees_media, made.sees_media);
  return made;
}

void add_entries(const std::vector<TemplateEntry>& entries,
                 std::vector<TemplateDefinition>& table) {
  for (const TemplateEntry& entry : entries) {
    TemplateDefinition start = registration_defaults();
    if (!entry.from.empty()) {
      const auto base = std::find_if(table.begin(), table.end(),
                                     [&](const auto& made) { return made.name == entry.from; });
      HONE_ASSERT(base != table.end(), entry.name, entry.from);
      start = *base;
    }
    table.push_back(applied(std::move(start), entry));
  }
}

std::vector<TemplateDefinition> made_table() {
  std::vector<TemplateDefinition> table;
  add_entries(plain_words_entries(), table);
  add_entries(im_markers_entries(), table);
  add_entries(llama_and_kin_entries(), table);
  add_entries(own_markers_entries(), table);
  return table;
}

}  // namespace

const std::vector<TemplateDefinition>& template_table() {
  static const std::vector<TemplateDefinition> table = made_table();
  return table;
}

}  // namespace hone::data
