// Checkpoints as folders: <output_dir>/checkpoint-<step>.
//
// A checkpoint holds the model's files (checkpoint/model_files.h), trainer_state.json,
// optimizer.safetensors unless only the model is saved, and hone_state.json
// (checkpoint/run_state.h), which is written last and knows size and checksum of all the others.
//
// A save, and why a stop at any instant leaves the old or the new checkpoint whole:
//   1. checkpoint-N.partial is written file by file, each synced, then the folder and output_dir:
//      from here on the new one is whole, under the name that find_newest completes.
//   2. What it replaces (a checkpoint-N that is there, the checkpoints of an overwritten run) is
//      renamed to checkpoint-K.removed.
//   3. checkpoint-N.partial is renamed to checkpoint-N; output_dir is synced.
//   4. What was renamed in 2, what is beyond the limit and what earlier stops left is removed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/log_sink.h"
#include "checkpoint/model_files.h"
#include "checkpoint/run_facts.h"
#include "checkpoint/run_saver.h"
#include "formats/file_system.h"
#include "optimizers/optimizer.h"

namespace hone::checkpoint {

struct FolderSaverOptions {
  std::filesystem::path output_dir;         // exists
  std::optional<std::int64_t> total_limit;  // newest so many are kept; none, 0 or less: all
  bool only_model = false;                  // save_only_model: no optimizer state
  RunFacts facts;
  // Checkpoints of an earlier run, removed when the first of this run is whole
  // (OutputFolder::replaced).
  std::vector<std::filesystem::path> replaced;
};

class FolderSaver final : public RunSaver {
 public:
  // All references and what `model` and `optimizer` refer to must outlive the saver.
  FolderSaver(formats::FileSystem& system, FolderSaverOptions options, ModelFiles model,
              const ParameterRegistry& registry, const FlatLayout& layout,
              std::vector<SavedArray> optimizer, LogSink& log);

  // Errors (UserError): the system's, with the file; what was written of the new checkpoint is then
  // removed as far as possible, and the old ones stay.
  SavedCheckpoint save(const RunPosition& position) override;

  // Removes the checkpoints beyond total_limit, of which `newest` is one that stays, and what
  // stopped saves left. Part of save(); for a run that a kill stopped in there and that saves no
  // more.
  void remove_old(const std::filesystem::path& newest);

 private:
  SavedCheckpoint write(const std::filesystem::path& partial, const RunPosition& position);
  void replace(const std::filesystem::path& partial, const std::filesystem::path& folder);

  formats::FileSystem& system_;
  FolderSaverOptions options_;
  ModelFiles model_;
  std::int64_t trainable_elements_;
  std::string trainable_layout_;
  std::vector<SavedArray> optimizer_;
  LogSink& log_;
};

}  // namespace hone::checkpoint
