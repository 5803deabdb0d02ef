// The trained weights and the optimizer's state of a run: filled before the first step, whole on
// one rank or in shards on several, and handed to those who save.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "assemble/planned_run.h"
#include "assemble/state_gather.h"
#include "checkpoint/flat_values.h"
#include "checkpoint/resume.h"
#include "checkpoint/run_saver.h"

namespace hone::assemble {

class TrainedState {
 public:
  // Of a plan that is bound to memory and whose frozen weights are there. `planned` must outlive
  // this object.
  explicit TrainedState(const PlannedRun& planned);
  TrainedState(const TrainedState&) = delete;
  TrainedState& operator=(const TrainedState&) = delete;

  // From the checkpoint, the adapter that training goes on with, a fresh adapter, or the model's
  // files. At ZeRO 3 no rank ever holds the whole model.
  void fill(const std::optional<checkpoint::Checkpoint>& checkpoint);

  // To be read on rank 0 alone, within save().
  const checkpoint::FlatValues& weights() const { return weights_; }
  const std::vector<checkpoint::SavedArray>& optimizer() const { return optimizer_; }

  // Runs `work`, which may read the above, on rank 0; the other ranks meanwhile give it what they
  // hold. All ranks call it; gives true on rank 0.
  bool save(const std::function<void()>& work);

 private:
  void fill_shard(const std::optional<checkpoint::Checkpoint>& checkpoint);
  // Parameters of the model's files that are trained, into runs that are held end to end.
  void read_from_files(const checkpoint::HeldRuns& held, const TensorView& to) const;

  const PlannedRun& planned_;
  TrainingPlan& plan_;
  std::optional<StateGather> gather_;
  checkpoint::FlatValues weights_;
  std::vector<checkpoint::SavedArray> optimizer_;
};

// Saves on rank 0 through another saver.
class RankedSaver final : public checkpoint::RunSaver {
 public:
  // `folder`: where checkpoints lie; `saver` is asked on rank 0 alone, and may be null on others.
  // Both references must outlive this object.
  RankedSaver(TrainedState& state, std::filesystem::path folder, checkpoint::RunSaver* saver)
      : state_(state), folder_(std::move(folder)), saver_(saver) {}

  checkpoint::SavedCheckpoint save(const checkpoint::RunPosition& position) override;

 private:
  TrainedState& state_;
  std::filesystem::path folder_;
  checkpoint::RunSaver* saver_;
};

}  // namespace hone::assemble
