// From settings and sizes to everything that a run will need: the model's parts, what is trained,
// the order of the data, and the plan of memory. Nothing here needs the weights' bytes.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "assemble/machine.h"
#include "assemble/offload_files.h"
#include "assemble/ranked_step.h"
#include "config/reading/read_settings.h"
#include "data/order/dealt_step.h"
#include "data/order/schedule.h"
#include "layers/adapter_set.h"
#include "memory/plan.h"
#include "model/adapters/lora_placement.h"
#include "model/description/decoder.h"
#include "model/forward_backward/pass_buffers.h"
#include "model/weights/resident_weights.h"
#include "ops/op_context.h"
#include "optimizers/optimizer.h"
#include "parameters/flat_layout.h"
#include "train/evaluation.h"
#include "train/training_state.h"

namespace hone::assemble {

// What the plan must know of the data.
struct DataSizes {
  std::vector<data::RecordSize> training;
  std::vector<std::vector<data::RecordSize>> evaluations;  // of each set
  bool known = true;  // false: every record was taken to be cutoff_len long
};

// The micro-steps of a run for one choice of micro_step_tokens.
struct MicroSteps {
  std::int64_t tokens_wanted = 0;  // micro_step_tokens
  data::BatchCapacity capacity;    // of training and evaluation
};

// Rows of a product beyond which speed hardly grows; records are computed together up to this many
// tokens where micro_step_tokens says nothing and memory suffices.
std::int64_t usual_micro_step_tokens(DeviceKind kind);

// One rank of a run of several.
struct RankPlace {
  parallel::Transport* transport = nullptr;  // null: there is one rank
  parallel::Stage stage = parallel::Stage::replicated;
  std::chrono::milliseconds limit = std::chrono::minutes(30);  // of one exchange

  int ranks() const { return transport == nullptr ? 1 : transport->ranks(); }
};

// What settle() chose, for ranks that must choose alike.
struct PlanChoice {
  std::int64_t micro_step_tokens = 0;
  std::int64_t recomputed_blocks = 0;
};

class TrainingPlan {
 public:
  // `adapter`: LoRA's placement; none for full fine-tuning. `machine` is asked for working space.
  // `files` may be promised weights. All references must outlive the plan.
  TrainingPlan(const config::Settings& settings, model::Decoder& decoder,
               std::optional<model::LoraOptions> adapter, const Machine& machine,
               const RankPlace& place = {});
  TrainingPlan(const TrainingPlan&) = delete;
  TrainingPlan& operator=(const TrainingPlan&) = delete;

  // Second stage, once the weights' files and the data's sizes are known: chooses
  // micro_step_tokens and recomputation within the memory that may be used, and makes the plan.
  // With `given` that choice is made, whether or not it fits.
  void settle(const model::WeightFiles& files, const DataSizes& sizes, std::size_t memory_bytes,
              const std::optional<PlanChoice>& given = std::nullopt);

  model::Decoder& decoder;
  ParameterId base_size = 0;  // parameters from here on belong to adapters
  std::optional<layers::AdapterSet> adapters;
  std::unique_ptr<FlatLayout> layout;

  // After settle():
  std::unique_ptr<data::Schedule> schedule;
  MicroSteps micro_steps;
  std::int64_t recomputed_blocks = 0;
  std::unique_ptr<model::ResidentWeights> weights;
  std::unique_ptr<model::PassBuffers> buffers;
  std::unique_ptr<train::Gradients> gradients;       // of one rank
  std::unique_ptr<optimizers::Optimizer> optimizer;  // of one rank
  std::unique_ptr<RankedStep> ranked;                // of several; both lie in it
  BufferList work_buffers;
  TensorView kernel_scratch;  // u8
  OffloadFiles on_disk;       // state that the arena does not hold
  Plan plan;
  std::size_t memory_bytes = 0;  // what may be used
  std::size_t least_bytes = 0;   // of the most frugal choice; known when the plan does not fit
  // Makes the files, and binds what lies in them.
  void take_files();
  bool fits() const { return plan.total_bytes() <= memory_bytes; }
  ParameterSource& parameters() { return ranked ? ranked->parameters() : weights->parameters(); }
  const layers::AdapterSet* adapter_set() const { return adapters ? &*adapters : nullptr; }

 private:
  void build(const model::WeightFiles& files, const DataSizes& sizes, std::int64_t tokens,
             std::int64_t recomputed);
  void build_update();
  void build_ranked(const std::vector<optimizers::Segment>& segments);
  MicroSteps micro_steps_for(const DataSizes& sizes, std::int64_t tokens) const;

  std::size_t program_bytes_ = 0;
  const config::Settings& settings_;
  const Machine& machine_;
  RankPlace place_;
};

}  // namespace hone::assemble
