// What the train loop asks of saving. Implemented by checkpoint::FolderSaver and by tests.
#pragma once

#include <cstdint>
#include <string>

namespace hone::checkpoint {

// Where a run stands, beside weights and optimizer state.
struct RunPosition {
  std::int64_t step = 0;  // updates of the schedule done
  std::int64_t optimizer_updates =
      0;  // of these, the ones that changed weights (steps with labels)
  std::int64_t tokens_seen = 0;
  std::string trainer_state;  // text of trainer_state.json
};

struct SavedCheckpoint {
  std::string path;
  std::uint64_t size_bytes = 0;
};

class RunSaver {
 public:
  virtual ~RunSaver() = default;

  // Writes checkpoint-<step>, complete or not at all, then removes what is beyond the limit.
  virtual SavedCheckpoint save(const RunPosition& position) = 0;
};

}  // namespace hone::checkpoint
