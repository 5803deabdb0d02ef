// A run on the terminal: its plan first, then its end.
#pragma once

#include <string>

#include "assemble/run_environment.h"
#include "cli/terminal.h"
#include "config/reading/read_settings.h"

namespace hone::cli {

inline constexpr int kInterruptedStatus = 130;  // as a shell reports a process ended by SIGINT

template <class Planned>
void show_plan(const Planned& planned, Terminal& terminal) {
  for (const std::string& line : planned.summary()) terminal.info(line);
  terminal.write(planned.memory_table());
}

// The exit status. Run is a TrainingRun or an EvaluationRun.
template <class Run>
int show_and_run(Run& run, Terminal& terminal) {
  show_plan(run.planned(), terminal);
  for (const std::string& line : run.planned().data->preview) terminal.info(line);
  const assemble::RunOutcome outcome = run.run();
  for (const std::string& line : outcome.lines) terminal.info(line);
  return outcome.interrupted ? kInterruptedStatus : 0;
}

// Trains, and says what is to be said of the losses.
int train(const config::ReadResult& read, const assemble::RunEnvironment& environment,
          Terminal& terminal);

}  // namespace hone::cli
