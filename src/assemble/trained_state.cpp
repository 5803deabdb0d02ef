#include "assemble/trained_state.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "checkpoint/checkpoint_folders.h"
#include "model/adapters/lora_init.h"
#include "model/weights/weight_files.h"

namespace hone::assemble {

TrainedState::TrainedState(const PlannedRun& planned) : planned_(planned), plan_(*planned.plan) {
  if (!plan_.ranked) {
    weights_ = plan_.weights->trainable();
    optimizer_ = checkpoint::saved_arrays(*plan_.optimizer);
    return;
  }
  RankedStep& ranked = *plan_.ranked;
  gather_.emplace(ranked.map(), ranked.collectives());
  if (ranked.stage() == parallel::Stage::parameters) {
    weights_ = gather_->add(ranked.weights());
  } else {
    weights_ = plan_.weights->trainable();
  }
  if (ranked.stage() == parallel::Stage::replicated) {
    optimizer_ = checkpoint::saved_arrays(ranked.optimizer());
    return;
  }
  for (const optimizers::StateArray& array : ranked.optimizer().state()) {
    optimizer_.push_back({array.name, gather_->add(array.values)});
  }
}

void TrainedState::fill(const std::optional<checkpoint::Checkpoint>& checkpoint) {
  const ParameterRegistry& registry = plan_.decoder.registry;
  if (plan_.ranked && plan_.ranked->stage() == parallel::Stage::parameters) {
    fill_shard(checkpoint);
    return;
  }
  const TensorView& flat = plan_.weights->trainable();
  if (checkpoint) {
    checkpoint::load_weights(*checkpoint, registry, *plan_.layout, flat);
  } else if (planned_.continued) {
    planned_.continued->load(registry, *plan_.layout, flat);
  } else if (plan_.adapters) {
    model::initialize_lora(registry, *plan_.layout, *plan_.adapters,
                           static_cast<std::uint64_t>(planned_.settings().training.seed), flat);
  }
  if (plan_.ranked) plan_.ranked->set_weights(flat);
  if (!checkpoint) return;
  if (!plan_.ranked) {
    checkpoint::load_optimizer(*checkpoint, *plan_.layout, *plan_.optimizer);
    return;
  }
  const bool whole = plan_.ranked->stage() == parallel::Stage::replicated;
  checkpoint::load_optimizer(*checkpoint, *plan_.layout, plan_.ranked->optimizer(),
                             whole ? std::nullopt : std::optional(plan_.ranked->held()));
}

void TrainedState::fill_shard(const std::optional<checkpoint::Checkpoint>& checkpoint) {
  RankedStep& ranked = *plan_.ranked;
  const ParameterRegistry& registry = plan_.decoder.registry;
  const checkpoint::HeldRuns held = ranked.held();
  if (checkpoint) {
    checkpoint::load_weights(*checkpoint, registry, *plan_.layout, ranked.weights(), held);
    checkpoint::load_optimizer(*checkpoint, *plan_.layout, ranked.optimizer(), held);
    return;
  }
  if (!plan_.adapters) {
    read_from_files(held, ranked.weights());
    return;
  }
  // Adapters are small: whole for this moment.
  const DType dtype = ranked.weights().dtype();
  const std::int64_t elements = plan_.layout->elements();
  std::vector<std::byte> space(static_cast<std::size_t>(elements) * size_bytes(dtype));
  const TensorView flat(space.data(), dtype, {elements});
  read_from_files({{0, elements}}, flat);
  if (planned_.continued) {
    planned_.continued->load(registry, *plan_.layout, flat);
  } else {
    model::initialize_lora(registry, *plan_.layout, *plan_.adapters,
                           static_cast<std::uint64_t>(planned_.settings().training.seed), flat);
  }
  ranked.set_weights(flat);
}

// One parameter at a time, of which the rank's part stays.
void TrainedState::read_from_files(const checkpoint::HeldRuns& held, const TensorView& to) const {
  std::vector<std::byte> space;
  for (const FlatRange& range : plan_.layout->ranges()) {
    if (range.id >= plan_.base_size) continue;
    const Parameter& parameter = plan_.decoder.registry.at(range.id);
    std::int64_t before = 0;
    bool read = false;
    for (const optimizers::HeldRun& run : held) {
      const std::int64_t begin = std::max(range.first, run.first);
      const std::int64_t end = std::min(range.first + range.elements, run.first + run.elements);
      if (end > begin) {
        space.resize(static_cast<std::size_t>(range.elements) * size_bytes(to.dtype()));
        const TensorView whole(space.data(), to.dtype(), parameter.shape);
        if (!read) planned_.weight_files().read(parameter.name, whole);
        read = true;
        model::convert_weight(ConstTensorView(whole.reshape({range.elements}))
                                  .slice(begin - range.first, end - begin),
                              to.slice(before + begin - run.first, end - begin));
      }
      before += run.elements;
    }
  }
}

bool TrainedState::save(const std::function<void()>& work) {
  if (!plan_.ranked) {
    work();
    plan_.on_disk.set_all_aside();
    return true;
  }
  const bool speaks = plan_.ranked->rank() == 0;
  const bool gathers = plan_.ranked->stage() != parallel::Stage::replicated;
  // Nothing of the step may still be under way.
  plan_.ranked->any(false);
  if (speaks) {
    work();
    if (gathers) gather_->done();
  } else if (gathers) {
    gather_->serve();
  }
  plan_.on_disk.set_all_aside();
  return speaks;
}

checkpoint::SavedCheckpoint RankedSaver::save(const checkpoint::RunPosition& position) {
  checkpoint::SavedCheckpoint saved;
  saved.path = checkpoint::checkpoint_folder(folder_, position.step).string();
  state_.save([&] { saved = saver_->save(position); });
  return saved;
}

}  // namespace hone::assemble
