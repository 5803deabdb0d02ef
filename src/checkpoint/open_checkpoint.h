// Proving that a checkpoint is whole.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "checkpoint/run_state.h"

namespace hone::checkpoint {

// A checkpoint that is whole.
struct Checkpoint {
  std::filesystem::path folder;
  RunState state;
  std::string trainer_state;  // text of trainer_state.json

  bool has_optimizer() const { return state.optimizer.has_value(); }
  std::int64_t step() const { return state.step; }
  // What the optimizer counts from: 0 when its state is not there.
  std::int64_t optimizer_updates() const { return has_optimizer() ? state.optimizer_updates : 0; }
  // The same for the same bytes, wherever they lie.
  std::string identity() const;
};

// Reads every byte of the checkpoint. Errors (UserError), all at once: not a checkpoint; files that
// are missing, too short or long, or of other bytes than were written.
Checkpoint open_checkpoint(const std::filesystem::path& folder);

// Whether hone_state.json and every file it lists are there with their sizes; reads no other file.
bool has_all_files(const std::filesystem::path& folder);

// Whether a checkpoint of this folder was written at or after `time`.
bool saved_since(const std::filesystem::path& output_dir, std::filesystem::file_time_type time);

}  // namespace hone::checkpoint
