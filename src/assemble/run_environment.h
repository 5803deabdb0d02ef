// What runs have in common: what the program that started one gives it, and what it gives back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "assemble/machine.h"
#include "base/log_sink.h"
#include "report/events.h"

namespace hone::assemble {

// Everything must outlive the run.
struct RunEnvironment {
  LogSink& log;
  report::Listener& console;              // told everything that happens
  std::function<bool()> stop_requested;   // asked after every step
  std::filesystem::path data_cache = {};  // for encoded records; empty: none are kept
  OpenMachine open_machine = open_cpu_machine;
};

struct RunOutcome {
  bool interrupted = false;
  bool nothing_left = false;  // a resumed run that had finished before
  std::int64_t step = 0;
  std::vector<std::string> lines;  // metrics blocks and where things lie, for the end of the output
};

}  // namespace hone::assemble
