// hone, also under the name llamafactory-cli.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/nearest_name.h"
#include "cli/command.h"
#include "cli/error_text.h"
#include "cli/launch_environment.h"

namespace {

using hone::cli::Invocation;
using hone::cli::Terminal;

struct Command {
  const char* name;
  int (*run)(const Invocation&, Terminal&);
};

constexpr Command kCommands[] = {
    {"train", hone::cli::run_train},   {"plan", hone::cli::run_plan},
    {"data", hone::cli::run_data},     {"chat", hone::cli::run_chat},
    {"export", hone::cli::run_export}, {"doctor", hone::cli::run_doctor},
    {"env", hone::cli::run_env},       {"version", hone::cli::run_version},
    {"help", hone::cli::run_help},
};

constexpr int kFailed = 1;
constexpr int kUnknownCommand = 2;

// Commands of LLaMA-Factory that are not here, and what there is instead.
struct OtherCommand {
  const char* name;
  const char* instead;
};

constexpr OtherCommand kOtherCommands[] = {
    {"api", "export the model (`export`), and serve it with vLLM, SGLang or llama.cpp"},
    {"webchat", "use `chat`, which talks in the terminal"},
    {"webui", "write a configuration as in examples/, and use `train`"},
    {"eval", "use `train` with do_eval: true and without do_train, which measures the loss"},
};

int refuse(const std::string& name, Terminal& terminal) {
  for (const OtherCommand& other : kOtherCommands) {
    if (name != other.name) continue;
    terminal.error(hone::to_text({"command '" + name + "'",
                                  "a command of LLaMA-Factory that is not in this version of hone",
                                  other.instead}));
    return kUnknownCommand;
  }
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  terminal.error(
      hone::to_text({"command '" + name + "'", "no such command" + hone::did_you_mean(name, names),
                     "see `hone help` for what there is"}));
  return kUnknownCommand;
}

int run(const std::string& name, const Invocation& invocation, Terminal& terminal) {
  for (const Command& command : kCommands) {
    if (name == command.name) return command.run(invocation, terminal);
  }
  return refuse(name, terminal);
}

bool asks_for_help(const std::string& word) {
  return word == "-h" || word == "--help";
}

}  // namespace

int main(int argc, char** argv) {
  Terminal terminal;
  Invocation invocation;
  invocation.program = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "hone";
  invocation.home = hone::cli::environment("HOME").value_or("");
  invocation.allow_unknown = hone::cli::environment_switch("ALLOW_EXTRA_ARGS");
  std::string command = argc > 1 ? argv[1] : "help";
  for (int i = 2; i < argc; ++i) invocation.words.emplace_back(argv[i]);
  const bool help = std::any_of(invocation.words.begin(), invocation.words.end(), asks_for_help);
  if (asks_for_help(command) || help) {
    command = "help";
    invocation.words.clear();
  }
  if (command == "--version") command = "version";
  try {
    return run(command, invocation, terminal);
  } catch (...) {
    terminal.error(hone::cli::error_text());
  }
  return kFailed;
}
