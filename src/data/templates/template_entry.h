// How the tables of templates are written: an entry states what differs from another template, or
// from what LLaMA-Factory's registration assumes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/templates/template_definition.h"

namespace hone::data {

using Words = std::vector<std::string>;

inline Slot text(std::string content) {
  return {Slot::Kind::text, std::move(content)};
}
inline Slot bos() {
  return {Slot::Kind::bos, ""};
}
inline Slot eos() {
  return {Slot::Kind::eos, ""};
}
inline Slot token(std::string name) {
  return {Slot::Kind::token, std::move(name)};
}

// The members are those of TemplateDefinition.
struct TemplateEntry {
  std::string name;
  std::string from = {};  // an earlier entry of the same table
  std::optional<TemplateClass> kind = {};
  std::optional<Slots> prefix = {};
  std::optional<Slots> system = {};
  std::optional<Slots> user = {};       // those of observations too, where nothing else is said
  std::optional<Slots> assistant = {};  // those of function messages too, likewise
  std::optional<Slots> observation = {};
  std::optional<Slots> function = {};
  std::optional<ToolFormat> tools = {};  // of descriptions and calls
  std::optional<std::string> default_system = {};
  std::optional<Words> stop_words = {};
  std::optional<WordPair> thought_words = {};
  std::optional<WordPair> tool_call_words = {};
  std::optional<bool> closing_thought_alone = {};
  std::optional<bool> trims_lone_tools = {};
  std::optional<bool> efficient_eos = {};
  std::optional<bool> replace_eos = {};
  std::optional<bool> replace_chat_template = {};
  std::optional<bool> sees_media = {};
};

// The tables.
std::vector<TemplateEntry> plain_words_entries();
std::vector<TemplateEntry> im_markers_entries();
std::vector<TemplateEntry> llama_and_kin_entries();
std::vector<TemplateEntry> own_markers_entries();

}  // namespace hone::data
