// From a command's words to Settings: the configuration file, the settings on the command line,
// what follows from them, and all faults of it at once.
//
// Words are what follows the command: first a .yaml, .yml or .json file, if any, then settings as
// key=value, --key value, --key=value, --switch or --no_switch, in any mix; a later one wins over
// an earlier one and over the file. In options (only there) a dash is as good as an underscore.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log_sink.h"
#include "config/reading/interpolation.h"
#include "config/reading/written.h"
#include "config/settings/declaration.h"

namespace hone::config {

struct Request {
  Command command = Command::train;
  std::vector<std::string> words;
  std::string home;              // stands for a leading ~ of paths; empty: ~ stays
  bool allow_unknown = false;    // unknown keys become warnings instead of faults
  Environment environment = {};  // for ${oc.env:NAME}; empty: no variable is set
  int ranks = 1;                 // of the run: train_batch_size of DeepSpeed counts them
};

// Where a value came from. A setting without an origin has its default.
struct Origin {
  Source source = Source::file;
  std::string place;    // "base.yaml, line 14", "command line", "twice lora_rank"
  std::string written;  // as it was written; empty for derived ones
  std::vector<std::string>
      replaced;  // what was written before and lost: "1e-4 (base.yaml, line 3)"
};

struct Notice {
  Severity severity = Severity::info;
  std::string text;
};

struct ReadResult {
  Settings settings;
  std::map<std::string, Origin> origins;  // by the setting's own name
  std::vector<Notice> notices;            // in the order of the settings
};

// Throws UserError with every fault of the words, the file, single values and their combination.
ReadResult read_settings(const Request& request);

// The same, adding to `faults` instead, so that assemble can add its own before they are thrown.
// With faults, the result holds what could be read, and defaults elsewhere.
ReadResult read_settings(const Request& request, FaultList& faults);

// For faults about a setting: "template: 'llama9' (base.yaml, line 3)", or "template (default)".
std::string describe_setting(const ReadResult& result, const std::string& name);

}  // namespace hone::config
