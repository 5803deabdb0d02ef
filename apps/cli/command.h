// The commands of the program: one file each, found by name in main.cpp.
#pragma once

#include <string>
#include <vector>

#include "cli/terminal.h"

namespace hone::cli {

// What the program was started with, read once, here and nowhere else.
struct Invocation {
  std::string program;             // "hone" or "llamafactory-cli"
  std::vector<std::string> words;  // after the command
  std::string home;                // $HOME, or empty
  bool allow_unknown = false;      // ALLOW_EXTRA_ARGS
};

// A command gives the exit status: 0 done, 1 refused or failed, 130 interrupted (and saved); the
// doctor also 3 and 4 (docs/doctor.md). What it throws is shown by main.
int run_train(const Invocation& invocation, Terminal& terminal);
int run_plan(const Invocation& invocation, Terminal& terminal);
int run_data(const Invocation& invocation, Terminal& terminal);
int run_chat(const Invocation& invocation, Terminal& terminal);
int run_export(const Invocation& invocation, Terminal& terminal);
int run_doctor(const Invocation& invocation, Terminal& terminal);
int run_env(const Invocation& invocation,
            Terminal& terminal);  // the doctor, as LLaMA-Factory names it
int run_version(const Invocation& invocation, Terminal& terminal);
int run_help(const Invocation& invocation, Terminal& terminal);

}  // namespace hone::cli
