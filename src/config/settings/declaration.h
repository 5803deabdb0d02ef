// What a setting is: one Declaration each, from which come reading, ranges, help, the docs page and
// the printed effective configuration.
//
// A setting is in one of three states. `works`: obeyed; it has storage in Settings. `no_effect`:
// accepted, and said to change nothing here, with the reason. `refused`: any value but the default
// is refused in words, with what to use instead. Whatever LLaMA-Factory knows is declared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "config/settings/settings.h"

namespace hone::config {

enum class State { works, no_effect, refused };

// Groups are LLaMA-Factory's: a command takes the settings of some of them and no others.
enum class Group { model, data, finetuning, training, generating, evaluation, machine, planning };

enum class Command { train, plan, chat, export_model };

// How a value is written. whole: an integer; amount: a count of steps, or below 1 a share of all;
// bytes: 8GiB, or a number of MiB; path: text where a leading ~ is the home folder; list and
// path_list: a comma list or a list; mapping: a map, held as its JSON text, or a file's path.
enum class Kind {
  boolean,
  whole,
  number,
  amount,
  bytes,
  text,
  path,
  choice,
  list,
  path_list,
  mapping
};

// monostate: unset. A choice is the choice's name.
using SettingValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::string>>;

struct Choice {
  std::string name;
  int index = 0;        // of the enumerator; names with the same index are the same choice
  std::string refused;  // why this choice is refused, and what to use; empty: it works
};

struct Range {
  std::optional<double> least;
  std::optional<double> most;
  bool least_excluded = false;
  bool most_excluded = false;
};

// Reads and writes one member of Settings. Choices pass as the enumerator's index.
struct Storage {
  SettingValue (*get)(const Settings&) = nullptr;
  void (*set)(Settings&, const SettingValue&) = nullptr;
};

struct Declaration {
  std::string name;
  Group group = Group::model;
  Kind kind = Kind::text;
  State state = State::works;
  std::string help;
  std::string reason;                // no_effect: why; refused: what to use instead
  std::string default_text;          // as it would be written in YAML
  std::vector<std::string> aliases;  // other names it is accepted under, with a notice
  std::vector<Choice> choices;
  Range limits;
  std::string true_choice;             // the choice that a boolean `true` means, if any
  std::string unset_word;              // a word for unset besides null: "auto"
  bool null_is_value = false;          // null is a value of its own, not "the default"
  std::vector<Command> more_commands;  // that take it, beside those of its group
  Storage storage;

  // For chaining in the declare_*.cpp.
  Declaration& at_least(double least);
  Declaration& above(double least);
  Declaration& at_most(double most);
  Declaration& below(double most);
  Declaration& choice(std::string choice_name, int index);
  Declaration& refuse_choices(const std::vector<std::string>& names, const std::string& why);
  Declaration& also_named(std::string alias);
  Declaration& means_if_true(std::string choice_name);
  Declaration& unset_by(std::string word);
  Declaration& default_shown_as(std::string text);
  Declaration& null_counts();
  Declaration& also_taken_by(Command command);
};

// A setting without storage: name, kind, default as written, help, reason.
struct Undone {
  const char* name;
  Kind kind;
  const char* default_text;
  const char* help;
  const char* reason;
};

class Declarations {
 public:
  // All settings, in the order of the docs page. Built once.
  static const Declarations& all();

  const std::vector<Declaration>& list() const { return list_; }
  // By name or alias; nullptr when there is none.
  const Declaration* find(std::string_view name) const;

  Declaration& works(Group group, std::string name, Kind kind, Storage storage, std::string help);
  void no_effect(Group group, const std::vector<Undone>& settings);
  void refused(Group group, const std::vector<Undone>& settings);

 private:
  void add(Group group, State state, const Undone& setting);
  std::vector<Declaration> list_;
};

// The value that `declaration` has in `settings`, a choice by its name.
SettingValue stored_value(const Declaration& declaration, const Settings& settings);
void store_value(const Declaration& declaration, Settings& settings, const SettingValue& value);

// As it would be written in YAML: "null", "true", "0.0001", "q_proj,v_proj".
std::string to_text(const SettingValue& value);
// The same of a setting's value, for people: bytes with their unit, "1.1 GiB".
std::string stored_text(const Declaration& declaration, const Settings& settings);

std::string_view group_name(Group group);
std::string_view command_name(Command command);
bool takes(Command command, const Declaration& declaration);
// "train, plan": the commands that take settings of the group, or this one setting; empty when no
// command does.
std::string commands_of(Group group);
std::string commands_of(const Declaration& declaration);

// Hub tokens, keys and secrets: their values are never shown.
bool is_secret(std::string_view name);
inline constexpr std::string_view kHidden = "(hidden)";

// One function per file declare_*.cpp.
void declare_model(Declarations& declarations);
void declare_data(Declarations& declarations);
void declare_finetuning(Declarations& declarations);
void declare_finetuning_undone(Declarations& declarations);
void declare_training(Declarations& declarations);
void declare_training_undone(Declarations& declarations);
void declare_generation(Declarations& declarations);
void declare_machine(Declarations& declarations);
void declare_sharding(Declarations& declarations);
void declare_planning(Declarations& declarations);

}  // namespace hone::config
