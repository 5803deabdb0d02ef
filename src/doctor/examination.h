// All checks on one machine, and their answer for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "doctor/check.h"

namespace hone::doctor {

struct Answer {
  enum class State { done, left_out };
  std::string_view check;
  State state = State::done;
  CheckResult result;  // of a check that was left out only the summary: why
};

struct Examination {
  std::string root;
  std::vector<Answer> answers;
  std::vector<std::string> gpus;  // one line each
  bool gpu_usable = false;        // no failure on the way to one
  bool has_module = false;        // hone's own GPU module is installed
  std::string verdict;            // one sentence

  // The worst finding; nothing: none at all.
  std::optional<Grade> worst() const;
};

// Runs the checks in order. After the first failure on the way to a GPU, what presupposes a GPU is
// left out, and says so. `has_module`: hone's GPU module lies beside the program.
Examination examine(const Machine& machine, bool has_module);

// 0: nothing but notes; 3: warnings; 4: failures. (1 and 2 are the program's own.)
int exit_status(const Examination& examination);

// A table, and what was found with cause and remedy. `coloured`: with the colours of a terminal.
std::string examination_text(const Examination& examination, bool coloured);
// One JSON object with a line end; its form is described in docs/doctor.md.
std::string examination_json(const Examination& examination);

}  // namespace hone::doctor
