#include "config/help.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest_name.h"
#include "config/reading/parse_value.h"
#include "config/settings/declaration.h"

namespace hone::config {
namespace {

constexpr Group kGroups[] = {Group::model,    Group::data,       Group::finetuning,
                             Group::training, Group::generating, Group::machine,
                             Group::planning, Group::evaluation};

constexpr std::string_view kPageHead =
    R"(# Settings

This page is made from the declarations in `src/config/settings/`. `hone help SETTING` shows one
setting.

A setting is written in a YAML or JSON file (`learning_rate: 1.0e-4`), after the file
(`learning_rate=1e-4`), or as an option (`--learning_rate 1e-4`, `--learning_rate=1e-4`, `--bf16`,
`--no_do_sample`). What stands later wins; `null` stands for the default. Names and meanings are
those of LLaMA-Factory. Every setting is in one of three states:

- **works**: obeyed.
- **no effect**: accepted, with a note at the start of the run that says why nothing changes.
- **refused**: any value but the default ends in an error that says what to use instead.
)";

std::string_view kind_words(Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return "true or false";
    case Kind::whole:
      return "whole number";
    case Kind::number:
      return "number";
    case Kind::amount:
      return "number of steps, or below 1 a share of all";
    case Kind::bytes:
      return "size, such as 8GiB";
    case Kind::text:
      return "text";
    case Kind::path:
      return "path";
    case Kind::choice:
      return "choice";
    case Kind::list:
      return "list: a,b";
    case Kind::path_list:
      return "list of paths: a,b";
    case Kind::mapping:
      return "map, or path of a file with it";
  }
  return "";
}

std::string values_of(const Declaration& declaration) {
  if (declaration.kind == Kind::choice) return working_choices(declaration);
  std::string words(kind_words(declaration.kind));
  const std::string limits = describe_limits(declaration.limits);
  // Of sizes the only limit is that there is one.
  if (!limits.empty() && declaration.kind != Kind::bytes) words += " " + limits;
  if (!declaration.unset_word.empty()) words += fmt::format(", or {}", declaration.unset_word);
  return words;
}

std::string first_sentence(const std::string& text) {
  const std::size_t end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

std::string in_code(const std::string& text) {
  return "`" + text + "`";
}

std::string refused_choices(const Declaration& declaration) {
  std::string text;
  for (const Choice& choice : declaration.choices) {
    if (choice.refused.empty()) continue;
    text += text.empty() ? "" : ", ";
    text += choice.name;
  }
  return text;
}

void add_page_group(std::string& page, Group group, State state) {
  std::string rows;
  for (const Declaration& declaration : Declarations::all().list()) {
    if (declaration.group != group || declaration.state != state) continue;
    if (state == State::works) {
      std::string meaning = declaration.help;
      const std::string refused = refused_choices(declaration);
      if (!refused.empty()) meaning += fmt::format(" Refused: {}.", refused);
      if (!declaration.aliases.empty()) {
        meaning += fmt::format(" Also named {}.", fmt::join(declaration.aliases, ", "));
      }
      for (const Command command : declaration.more_commands) {
        meaning += fmt::format(" Also taken by {}.", command_name(command));
      }
      rows += fmt::format("| {} | {} | {} | {} |\n", in_code(declaration.name),
                          in_code(declaration.default_text), values_of(declaration), meaning);
    } else {
      rows += fmt::format("| {} | {} | {} | {} |\n", in_code(declaration.name),
                          in_code(declaration.default_text), declaration.help, declaration.reason);
    }
  }
  if (rows.empty()) return;
  switch (state) {
    case State::works:
      page += "\n### Works\n\n| setting | default | values | meaning |\n|---|---|---|---|\n";
      break;
    case State::no_effect:
      page += "\n### No effect\n\n| setting | default | meaning | why |\n|---|---|---|---|\n";
      break;
    case State::refused:
      page +=
          "\n### Refused\n\n| setting | default | meaning | why, and what to use |\n"
          "|---|---|---|---|\n";
      break;
  }
  page += rows;
}

std::string group_title(Group group) {
  const std::string commands = commands_of(group);
  if (commands.empty()) return fmt::format("{} (of no command yet)", group_name(group));
  return fmt::format("{} ({})", group_name(group), commands);
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Declaration& declaration : Declarations::all().list()) {
    names.push_back(declaration.name);
  }
  return names;
}

}  // namespace

std::string setting_help(const std::string& name) {
  std::string underscored = name.substr(0, 100);
  std::replace(underscored.begin(), underscored.end(), '-', '_');
  underscored.erase(0, std::min(underscored.find_first_not_of('_'), underscored.size()));
  const Declaration* declaration = Declarations::all().find(underscored);
  if (declaration == nullptr) {
    const std::string nearest = nearest_name(underscored, all_names());
    throw UserError(Fault{fmt::format("help of '{}'", underscored), "no setting has this name",
                          nearest.empty() ? "`hone help` lists the settings"
                                          : fmt::format("did you mean {}?", nearest)});
  }
  std::string text =
      fmt::format("{}\n  {}\n  values:   {}\n  default:  {}\n", declaration->name,
                  declaration->help, values_of(*declaration), declaration->default_text);
  const std::string commands = commands_of(*declaration);
  text += fmt::format("  commands: {}\n", commands.empty() ? "none yet" : commands);
  if (!declaration->aliases.empty()) {
    text += fmt::format("  also:     {}\n", fmt::join(declaration->aliases, ", "));
  }
  const std::string refused = refused_choices(*declaration);
  if (!refused.empty()) text += fmt::format("  refused:  {}\n", refused);
  switch (declaration->state) {
    case State::works:
      text += "  state:    works\n";
      break;
    case State::no_effect:
      text += fmt::format("  state:    no effect here: {}\n", declaration->reason);
      break;
    case State::refused:
      text += fmt::format("  state:    refused: {}\n", declaration->reason);
      break;
  }
  return text;
}

std::string settings_overview() {
  std::string text;
  for (Group group : kGroups) {
    std::string others;
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", group_title(group));
    for (const Declaration& declaration : Declarations::all().list()) {
      if (declaration.group != group) continue;
      if (declaration.state == State::works) {
        text += fmt::format("  {:<30} {}\n", declaration.name, first_sentence(declaration.help));
      } else {
        others += others.empty() ? "" : " ";
        others += declaration.name;
      }
    }
    if (!others.empty()) text += fmt::format("  known, without effect or refused: {}\n", others);
  }
  return text;
}

std::string settings_page() {
  std::string page(kPageHead);
  for (Group group : kGroups) {
    page += fmt::format("\n## {}\n", group_title(group));
    for (State state : {State::works, State::no_effect, State::refused}) {
      add_page_group(page, group, state);
    }
  }
  return page;
}

}  // namespace hone::config
