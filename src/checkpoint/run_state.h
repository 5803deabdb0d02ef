// hone_state.json: what a checkpoint knows beside what the ecosystem's files hold.
//
// Format: JSON, indent 2, keys sorted. Append only; "version" rises when a reader of the version
// before would go wrong.
//   "format": "hone checkpoint"
//   "version": 1
//   "step", "optimizer_updates", "tokens_seen": integers, see RunPosition
//   "seed", "data_seed", "micro_step_tokens", "records": integers, see RunFacts
//   "data_fingerprint": string
//   "settings": {name: value as a string}
//   "trainable_elements": integer; "trainable_layout": string, equal when the flat array of
//       trainable weights has the same parameters in the same order (fingerprint_of)
//   "optimizer": [names of the state arrays]; absent in a checkpoint without optimizer state
//   "files": {name: {"bytes": integer, "xxh64": 16 hexadecimal digits}}: all other files
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/run_facts.h"
#include "parameters/flat_layout.h"

namespace hone::checkpoint {

inline constexpr const char* kStateFile = "hone_state.json";
inline constexpr const char* kTrainerStateFile = "trainer_state.json";
inline constexpr const char* kOptimizerFile = "optimizer.safetensors";

struct FileRecord {
  std::uint64_t size_bytes = 0;
  std::string xxh64;

  bool operator==(const FileRecord&) const = default;
};

struct RunState {
  std::int64_t step = 0;
  std::int64_t optimizer_updates = 0;
  std::int64_t tokens_seen = 0;
  RunFacts facts;
  std::int64_t trainable_elements = 0;
  std::string trainable_layout;
  std::optional<std::vector<std::string>> optimizer;
  std::map<std::string, FileRecord> files;

  bool operator==(const RunState&) const = default;
};

std::string run_state_text(const RunState& state);

// The inverse; `file` is the name for errors. Throws UserError for what is not such a file, or one
// of a later version; keys that are not known are ignored.
RunState parse_run_state(std::string_view text, const std::string& file);

// Names and shapes of a layout's parameters, in order, as 16 hexadecimal digits.
std::string fingerprint_of(const ParameterRegistry& registry, const FlatLayout& layout);

}  // namespace hone::checkpoint
