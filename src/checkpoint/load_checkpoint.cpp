#include <algorithm>
#include <map>

#include "base/error.h"
#include "checkpoint/resume.h"
#include "formats/regular_file.h"
#include "formats/safetensors_index.h"
#include "model/adapters/lora_placement.h"
#include "model/weights/weight_files.h"

namespace hone::checkpoint {
namespace {

std::string asked_for(const Checkpoint& checkpoint) {
  return "checkpoint " + formats::shown_path(checkpoint.folder);
}

// Puts the elements of `piece`, which begins at element `first` of the flat space, where runs that
// are held end to end have them.
void take(std::int64_t first, const ConstTensorView& piece, const HeldRuns& held,
          const TensorView& to) {
  std::int64_t before = 0;
  for (const optimizers::HeldRun& run : held) {
    const std::int64_t begin = std::max(first, run.first);
    const std::int64_t end = std::min(first + piece.elements(), run.first + run.elements);
    if (end > begin) {
      model::convert_weight(piece.slice(begin - first, end - begin),
                            to.slice(before + begin - run.first, end - begin));
    }
    before += run.elements;
  }
}

HeldRuns whole(const FlatLayout& layout) {
  return {{0, layout.elements()}};
}

std::string described(const RunFacts& facts) {
  return std::to_string(facts.records) + " records, fingerprint " + facts.data_fingerprint;
}

void compare(LogSink& log, const std::string& name, const std::string& then,
             const std::string& now) {
  if (then == now) return;
  log.warning("resumed with " + name + ": " + now + ", where the checkpoint was made with " + then +
              "; the value of now applies, so the run will differ from one that was never stopped");
}

void compare_settings(const RunFacts& then, const RunFacts& now, LogSink& log) {
  const std::map<std::string, std::string> old(then.settings.begin(), then.settings.end());
  for (const auto& [name, value] : now.settings) {
    const auto before = old.find(name);
    // A setting that the checkpoint does not know of is newer than it.
    if (before != old.end()) compare(log, name, before->second, value);
  }
}

// What the trained parameters of a checkpoint must be for this run.
void check_layout(const Checkpoint& checkpoint, const ParameterRegistry& registry,
                  const FlatLayout& layout) {
  if (checkpoint.state.trainable_layout == fingerprint_of(registry, layout)) return;
  throw UserError(
      {asked_for(checkpoint),
       "it trains other parameters: " + std::to_string(checkpoint.state.trainable_elements) +
           " numbers, where this run trains " + std::to_string(layout.elements()),
       "use the model, finetuning_type, lora_rank, lora_target and additional_target "
       "that it was made with"});
}

}  // namespace

void compare_with_run(const Checkpoint& checkpoint, const RunFacts& now, LogSink& log) {
  const RunFacts& then = checkpoint.state.facts;
  if (!checkpoint.has_optimizer()) {
    log.warning(asked_for(checkpoint) +
                " has no optimizer state (save_only_model): the optimizer's moments start anew; "
                "the learning rate goes on from step " +
                std::to_string(checkpoint.step()));
  }
  if (then.records != now.records || then.data_fingerprint != now.data_fingerprint) {
    log.warning("resumed on another training set: " + described(now) +
                ", where the checkpoint was made with " + described(then) +
                "; records are dealt from the set of now");
  }
  compare(log, "seed", std::to_string(then.seed), std::to_string(now.seed));
  compare(log, "data_seed", std::to_string(then.data_seed), std::to_string(now.data_seed));
  compare(log, "micro_step_tokens", std::to_string(then.micro_step_tokens),
          std::to_string(now.micro_step_tokens));
  compare_settings(then, now, log);
}

void load_weights(const Checkpoint& checkpoint, const ParameterRegistry& registry,
                  const FlatLayout& layout, const TensorView& flat,
                  const std::optional<HeldRuns>& held) {
  const HeldRuns runs = held.value_or(whole(layout));
  check_layout(checkpoint, registry, layout);
  const bool adapter = checkpoint.state.files.count("adapter_config.json") > 0;
  const formats::SafetensorsModel model(checkpoint.folder, adapter ? "adapter_model" : "model");
  for (const FlatRange& range : layout.ranges()) {
    const Parameter& parameter = registry.at(range.id);
    const std::string name = adapter ? model::peft_name(parameter.name) : parameter.name;
    const ConstTensorView from = model.find(name) == nullptr ? ConstTensorView() : model.view(name);
    if (!from.present() || !(from.shape() == parameter.shape)) {
      throw UserError({"tensor '" + name + "' in " + asked_for(checkpoint),
                       from.present() ? "shape " + from.shape().to_text() : "no such tensor",
                       "use an older checkpoint, or train from the start"});
    }
    // Adapters are always written as f32, which holds every bf16.
    if (from.dtype() != flat.dtype() && !adapter) {
      throw UserError({"tensor '" + name + "' in " + asked_for(checkpoint),
                       "saved as " + std::string(hone::name(from.dtype())) +
                           ", where this run trains " + std::string(hone::name(flat.dtype())),
                       "use the pure_bf16 that it was made with"});
    }
    model.read_in_pieces(name, [&](std::int64_t first, const ConstTensorView& piece) {
      take(range.first + first, piece, runs, flat);
    });
  }
}

void load_optimizer(const Checkpoint& checkpoint, const FlatLayout& layout,
                    const optimizers::Optimizer& optimizer, const std::optional<HeldRuns>& held) {
  if (!checkpoint.has_optimizer()) return;
  const HeldRuns runs = held.value_or(whole(layout));
  const Shape shape = {layout.elements()};
  const formats::SafetensorsModel file(checkpoint.folder, "optimizer");
  FaultList faults;
  const std::vector<optimizers::StateArray> arrays = optimizer.state();
  for (const optimizers::StateArray& array : arrays) {
    const bool there = file.find(array.name) != nullptr;
    const ConstTensorView from = there ? file.view(array.name) : ConstTensorView();
    if (there && from.dtype() == array.values.dtype() && from.shape() == shape) {
      continue;
    }
    faults.add({"optimizer state '" + array.name + "' in " + asked_for(checkpoint),
                there ? std::string(hone::name(from.dtype())) + " " + from.shape().to_text() +
                            ", where this run's optimizer has " +
                            std::string(hone::name(array.values.dtype())) + " " + shape.to_text()
                      : "no such array",
                "use the optim that it was made with"});
  }
  faults.throw_if_any();
  for (const optimizers::StateArray& array : arrays) {
    file.read_in_pieces(array.name, [&](std::int64_t first, const ConstTensorView& piece) {
      take(first, piece, runs, array.values);
    });
  }
}

}  // namespace hone::checkpoint
