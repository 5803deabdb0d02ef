#include "config/settings/declaration.h"

#include <algorithm>

#include <fmt/format.h>

#include "config/reading/parse_number.h"

namespace hone::config {
namespace {

constexpr Command kCommands[] = {Command::train, Command::plan, Command::chat,
                                 Command::export_model};

bool takes_group(Command command, Group group) {
  if (group == Group::evaluation) return false;
  if (group == Group::planning) return command == Command::plan;
  if (group != Group::training) return true;
  return command == Command::train || command == Command::plan;
}

template <class Takes>
std::string names_of(Takes takes_it) {
  std::string names;
  for (const Command command : kCommands) {
    if (!takes_it(command)) continue;
    if (!names.empty()) names += ", ";
    names += command_name(command);
  }
  return names;
}

}  // namespace

Declaration& Declaration::at_least(double least) {
  limits.least = least;
  return *this;
}

Declaration& Declaration::above(double least) {
  limits.least = least;
  limits.least_excluded = true;
  return *this;
}

Declaration& Declaration::at_most(double most) {
  limits.most = most;
  return *this;
}

Declaration& Declaration::below(double most) {
  limits.most = most;
  limits.most_excluded = true;
  return *this;
}

Declaration& Declaration::choice(std::string choice_name, int index) {
  choices.push_back({std::move(choice_name), index, ""});
  return *this;
}

Declaration& Declaration::refuse_choices(const std::vector<std::string>& names,
                                         const std::string& why) {
  for (const std::string& refused_name : names) choices.push_back({refused_name, -1, why});
  return *this;
}

Declaration& Declaration::also_named(std::string alias) {
  aliases.push_back(std::move(alias));
  return *this;
}

Declaration& Declaration::means_if_true(std::string choice_name) {
  true_choice = std::move(choice_name);
  return *this;
}

Declaration& Declaration::unset_by(std::string word) {
  default_text = word;
  unset_word = std::move(word);
  return *this;
}

Declaration& Declaration::default_shown_as(std::string text) {
  default_text = std::move(text);
  return *this;
}

Declaration& Declaration::null_counts() {
  null_is_value = true;
  return *this;
}

Declaration& Declaration::also_taken_by(Command command) {
  more_commands.push_back(command);
  return *this;
}

const Declarations& Declarations::all() {
  static const Declarations declared = [] {
    Declarations declarations;
    declare_model(declarations);
    declare_data(declarations);
    declare_finetuning(declarations);
    declare_finetuning_undone(declarations);
    declare_training(declarations);
    declare_training_undone(declarations);
    declare_sharding(declarations);
    declare_planning(declarations);
    declare_generation(declarations);
    declare_machine(declarations);
    // A default can be written only when its choices are known.
    for (Declaration& declaration : declarations.list_) {
      if (declaration.state == State::works && declaration.default_text.empty()) {
        declaration.default_text = to_text(stored_value(declaration, Settings()));
      }
    }
    return declarations;
  }();
  return declared;
}

const Declaration* Declarations::find(std::string_view name) const {
  for (const Declaration& declaration : list_) {
    if (declaration.name == name) return &declaration;
    const auto& aliases = declaration.aliases;
    if (std::find(aliases.begin(), aliases.end(), name) != aliases.end()) return &declaration;
  }
  return nullptr;
}

Declaration& Declarations::works(Group group, std::string name, Kind kind, Storage storage,
                                 std::string help) {
  Declaration declaration;
  declaration.name = std::move(name);
  declaration.group = group;
  declaration.kind = kind;
  declaration.help = std::move(help);
  declaration.storage = storage;
  HONE_ASSERT(find(declaration.name) == nullptr, declaration.name);
  list_.push_back(std::move(declaration));
  return list_.back();
}

void Declarations::add(Group group, State state, const Undone& setting) {
  HONE_ASSERT(find(setting.name) == nullptr, setting.name);
  Declaration declaration;
  declaration.name = setting.name;
  declaration.group = group;
  declaration.kind = setting.kind;
  declaration.state = state;
  declaration.help = setting.help;
  declaration.reason = setting.reason;
  declaration.default_text = setting.default_text;
  list_.push_back(std::move(declaration));
}

void Declarations::no_effect(Group group, const std::vector<Undone>& settings) {
  for (const Undone& setting : settings) add(group, State::no_effect, setting);
}

void Declarations::refused(Group group, const std::vector<Undone>& settings) {
  for (const Undone& setting : settings) add(group, State::refused, setting);
}

SettingValue stored_value(const Declaration& declaration, const Settings& settings) {
  HONE_ASSERT(declaration.storage.get != nullptr, declaration.name);
  SettingValue value = declaration.storage.get(settings);
  if (declaration.kind != Kind::choice || value.index() == 0) return value;
  for (const Choice& choice : declaration.choices) {
    if (choice.index == std::get<std::int64_t>(value)) return choice.name;
  }
  HONE_ASSERT(false, declaration.name, std::get<std::int64_t>(value));
  return {};
}

void store_value(const Declaration& declaration, Settings& settings, const SettingValue& value) {
  HONE_ASSERT(declaration.storage.set != nullptr, declaration.name);
  if (declaration.kind != Kind::choice || value.index() == 0) {
    declaration.storage.set(settings, value);
    return;
  }
  for (const Choice& choice : declaration.choices) {
    if (choice.name != std::get<std::string>(value)) continue;
    HONE_ASSERT(choice.refused.empty(), declaration.name, choice.name);
    declaration.storage.set(settings, static_cast<std::int64_t>(choice.index));
    return;
  }
  HONE_ASSERT(false, declaration.name, std::get<std::string>(value));
}

std::string to_text(const SettingValue& value) {
  struct Writer {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool truth) const { return truth ? "true" : "false"; }
    std::string operator()(std::int64_t whole) const { return std::to_string(whole); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<std::string>& items) const {
      return items.empty() ? "null" : fmt::format("{}", fmt::join(items, ","));
    }
  };
  return std::visit(Writer(), value);
}

std::string stored_text(const Declaration& declaration, const Settings& settings) {
  const SettingValue value = stored_value(declaration, settings);
  const std::int64_t* bytes = std::get_if<std::int64_t>(&value);
  return declaration.kind == Kind::bytes && bytes != nullptr ? bytes_text(*bytes) : to_text(value);
}

std::string_view group_name(Group group) {
  switch (group) {
    case Group::model:
      return "model";
    case Group::data:
      return "data";
    case Group::finetuning:
      return "fine-tuning";
    case Group::training:
      return "training";
    case Group::generating:
      return "generation";
    case Group::evaluation:
      return "evaluation";
    case Group::machine:
      return "machine";
    case Group::planning:
      return "planning";
  }
  return "";
}

std::string_view command_name(Command command) {
  switch (command) {
    case Command::train:
      return "train";
    case Command::plan:
      return "plan";
    case Command::chat:
      return "chat";
    case Command::export_model:
      return "export";
  }
  return "";
}

bool takes(Command command, const Declaration& declaration) {
  const std::vector<Command>& more = declaration.more_commands;
  return takes_group(command, declaration.group) ||
         std::find(more.begin(), more.end(), command) != more.end();
}

std::string commands_of(Group group) {
  return names_of([&](Command command) { return takes_group(command, group); });
}

std::string commands_of(const Declaration& declaration) {
  return names_of([&](Command command) { return takes(command, declaration); });
}

bool is_secret(std::string_view name) {
  const auto ends_with = [name](std::string_view end) {
    return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
  };
  return ends_with("_token") || ends_with("_api_key") || ends_with("_secret") ||
         ends_with("_webhook_url");
}

}  // namespace hone::config
