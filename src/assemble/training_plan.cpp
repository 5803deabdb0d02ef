#include "assemble/training_plan.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "assemble/program_memory.h"
#include "assemble/scratch_survey.h"
#include "assemble/settings_options.h"
#include "planner/economy.h"

namespace hone::assemble {
namespace {

std::int64_t longest(const DataSizes& sizes) {
  std::int64_t tokens = 1;
  for (const data::RecordSize& size : sizes.training) tokens = std::max(tokens, size.tokens);
  for (const std::vector<data::RecordSize>& part : sizes.evaluations) {
    for (const data::RecordSize& size : part) tokens = std::max(tokens, size.tokens);
  }
  return tokens;
}

}  // namespace

std::int64_t usual_micro_step_tokens(DeviceKind kind) {
  return kind == DeviceKind::gpu ? 8192 : 1536;
}

TrainingPlan::TrainingPlan(const config::Settings& settings, model::Decoder& model,
                           std::optional<model::LoraOptions> adapter, const Machine& machine,
                           const RankPlace& place)
    : decoder(model),
      base_size(model.registry.size()),
      settings_(settings),
      machine_(machine),
      place_(place) {
  if (adapter) {
    adapters = model::place_lora(decoder, *adapter);
  } else {
    for (ParameterId id = 0; id < base_size; ++id) decoder.registry.set_trainable(id, true);
  }
  layout = std::make_unique<FlatLayout>(decoder.registry);
}

MicroSteps TrainingPlan::micro_steps_for(const DataSizes& sizes, std::int64_t tokens) const {
  MicroSteps result;
  result.tokens_wanted = tokens;
  result.capacity = data::bound_micro_steps(*schedule, sizes.training, tokens).capacity;
  const train::EvaluationOptions evaluation = {settings_.training.per_device_eval_batch_size,
                                               tokens};
  for (const std::vector<data::RecordSize>& part : sizes.evaluations) {
    result.capacity.cover(train::evaluation_capacity(part, evaluation));
  }
  return result;
}

void TrainingPlan::build(const model::WeightFiles& files, const DataSizes& sizes,
                         std::int64_t tokens, std::int64_t recomputed) {
  plan = Plan();
  on_disk = OffloadFiles();
  plan.add(
      {"program, tokenizer and records", Category::program, program_bytes_, Lifetime::run, true});
  work_buffers = BufferList();
  micro_steps = micro_steps_for(sizes, tokens);
  recomputed_blocks = recomputed;
  const model::PassCapacity capacity = {micro_steps.capacity.tokens, micro_steps.capacity.labels,
                                        longest(sizes)};
  const model::PassOptions pass = {.training = true, .recomputed_blocks = recomputed};
  model::WeightPolicy policy = weight_policy(settings_, machine_);
  policy.holds_trainable = place_.stage != parallel::Stage::parameters;
  weights = std::make_unique<model::ResidentWeights>(decoder, base_size, *layout, files, policy);
  buffers = std::make_unique<model::PassBuffers>(decoder, adapter_set(), capacity, pass);
  const Survey survey = survey_walk(decoder, adapter_set(), *layout, *weights, *buffers,
                                    *machine_.table, machine_.device->properties().threads);
  work_buffers.add(kernel_scratch, "kernels' working space", Category::scratch, DType::u8,
                   {static_cast<std::int64_t>(std::max<std::size_t>(survey.scratch_bytes, 1))});
  weights->describe(plan);
  build_update();
  buffers->list.describe(plan);
  work_buffers.describe(plan);
}

// Gradients and optimizer state: of this rank, or all.
void TrainingPlan::build_update() {
  const config::ZeroOptions& zero = settings_.zero;
  const bool from_files = zero.optimizer.to == config::OffloadTo::disk;
  std::vector<optimizers::Segment> segments =
      optimizers::decay_segments(decoder.registry, *layout, settings_.training.weight_decay);
  if (place_.transport == nullptr) {
    if (from_files) segments = optimizers::in_pieces(segments, kPieceElements);
    gradients = std::make_unique<train::Gradients>(decoder.registry, *layout);
    optimizer = make_optimizer(settings_, std::move(segments), layout->elements());
    gradients->describe(plan);
    if (!from_files) return optimizer->buffers().describe(plan);
    on_disk.add("optimizer state", zero.optimizer.folder, zero.source, optimizer->buffers(), plan);
    return;
  }
  build_ranked(segments);
}

void TrainingPlan::build_ranked(const std::vector<optimizers::Segment>& segments) {
  const config::ZeroOptions& zero = settings_.zero;
  RankedStepOptions options;
  options.stage = place_.stage;
  options.collectives.limit = place_.limit;
  options.weights = weight_policy(settings_, machine_).trainable;
  options.tied_embedding = decoder.description.tied_embeddings;
  options.optimizer_elsewhere = zero.optimizer.to == config::OffloadTo::disk;
  options.shard_elsewhere = zero.parameters.to == config::OffloadTo::disk;
  ranked = std::make_unique<RankedStep>(
      options, *place_.transport, decoder.registry, *layout, weights->parameters(), segments,
      [this, &options](std::vector<optimizers::Segment> own, std::int64_t elements) {
        const bool in_pieces = options.optimizer_elsewhere || options.shard_elsewhere;
        if (in_pieces) own = optimizers::in_pieces(own, kPieceElements);
        return make_optimizer(settings_, std::move(own), elements);
      });
  ranked->describe(plan);
  if (options.optimizer_elsewhere) {
    on_disk.add("optimizer state", zero.optimizer.folder, zero.source,
                ranked->optimizer().buffers(), plan);
  }
  if (options.shard_elsewhere) {
    on_disk.add("weights", zero.parameters.folder, zero.source, ranked->shard_buffers(), plan);
  }
}

void TrainingPlan::take_files() {
  if (on_disk.empty()) return;
  on_disk.take();
  if (ranked) {
    ranked->tell(on_disk.done_with());
  } else {
    optimizer->tell(on_disk.done_with());
  }
}

void TrainingPlan::settle(const model::WeightFiles& files, const DataSizes& sizes,
                          std::size_t usable_bytes, const std::optional<PlanChoice>& given) {
  schedule = std::make_unique<data::Schedule>(schedule_options(
      settings_, static_cast<std::int64_t>(sizes.training.size()), place_.ranks()));
  const std::int64_t smallest = longest(sizes);
  const std::int64_t wanted =
      std::max(settings_.machine.micro_step_tokens.value_or(
                   usual_micro_step_tokens(machine_.device->properties().kind)),
               smallest);
  memory_bytes = usable_bytes;
  program_bytes_ = program_bytes();
  if (given) {
    build(files, sizes, given->micro_step_tokens, given->recomputed_blocks);
    least_bytes = plan.total_bytes();
    return;
  }
  build(files, sizes, wanted, 0);
  if (fits()) return;
  const bool fixed = settings_.machine.micro_step_tokens.has_value();
  const std::int64_t least_tokens = fixed ? wanted : smallest;
  build(files, sizes, least_tokens, decoder.description.blocks);
  least_bytes = plan.total_bytes();
  // Memory is saved only where a limit was stated: what happens to be free must not decide results.
  if (!settings_.machine.memory_limit_bytes || !fits()) {
    build(files, sizes, wanted, 0);
    return;
  }
  for (const planner::Economy& economy :
       planner::economies(wanted, least_tokens, decoder.description.blocks)) {
    build(files, sizes, economy.micro_step_tokens, economy.recomputed_blocks);
    if (fits()) return;
  }
}

}  // namespace hone::assemble
