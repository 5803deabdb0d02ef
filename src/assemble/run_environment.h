// What runs have in common: what the program that started one gives it, and what it gives back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assemble/machine.h"
#include "assemble/rank_session.h"
#include "base/log_sink.h"
#include "report/events.h"

namespace hone::assemble {

// Everything must outlive the run.
struct RunEnvironment {
  LogSink& log;
  report::Listener& console;              // told everything that happens
  std::function<bool()> stop_requested;   // asked after every step
  std::filesystem::path data_cache = {};  // for encoded records; empty: none are kept
  OpenMachine open_machine = open_wanted_machine;
  RankSession* ranks = nullptr;  // null: the run has one rank
  // Told, once rank 0 has found it fit, where results will lie: where ranks put their logs.
  std::function<void(const std::filesystem::path&)> output_chosen = {};
  // When the first of several attempts at this run began: what was saved since then is this run's,
  // also with overwrite_output_dir.
  std::optional<std::filesystem::file_time_type> first_attempt = {};
};

struct RunOutcome {
  bool interrupted = false;
  bool nothing_left = false;  // a resumed run that had finished before
  std::int64_t step = 0;
  std::vector<std::string> lines;  // metrics blocks and where things lie, for the end of the output
};

}  // namespace hone::assemble
