#include "assemble/ranked_step.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/half.h"

namespace hone::assemble {
namespace {

using parallel::FlatRun;
using parallel::Stage;

std::vector<optimizers::HeldRun> held_runs(const parallel::ShardMap& map, int rank) {
  std::vector<optimizers::HeldRun> held;
  for (const FlatRun& run : map.owned(rank)) held.push_back({run.first, run.elements});
  return held;
}

std::unique_ptr<optimizers::Optimizer> make_own_optimizer(
    Stage stage, const parallel::ShardMap& map, int rank,
    const std::vector<optimizers::Segment>& segments,
    const RankedStep::MakeOptimizer& make_optimizer) {
  if (stage == Stage::replicated) return make_optimizer(segments, map.elements());
  return make_optimizer(
      optimizers::held_segments(segments, held_runs(map, rank), stage != Stage::parameters,
                                stage == Stage::optimizer_state),
      map.owned_elements(rank));
}

// Of f32 or bf16.
bool is_finite(const TensorView& values, std::int64_t index) {
  return std::isfinite(values.dtype() == DType::bf16 ? to_float(values.data<BFloat16>()[index])
                                                     : values.data<float>()[index]);
}

}  // namespace

RankedStep::RankedStep(const RankedStepOptions& options, parallel::Transport& transport,
                       const ParameterRegistry& registry, const FlatLayout& layout,
                       ParameterSource& whole, const std::vector<optimizers::Segment>& segments,
                       const MakeOptimizer& make_optimizer)
    : options_(options),
      registry_(registry),
      layout_(layout),
      whole_(whole),
      map_(registry, layout, transport.ranks()),
      collectives_(transport, options.collectives),
      norm_(map_, collectives_),
      thread_(transport) {
  const parallel::ShardingContext context{registry,     layout,  map_,
                                          collectives_, thread_, options.tied_embedding};
  gradients_ = parallel::make_step_gradients(options.stage, context);
  if (options.stage == Stage::parameters) gathered_.emplace(context, options.weights, whole);
  optimizer_ = make_own_optimizer(options.stage, map_, rank(), segments, make_optimizer);
}

std::vector<const BufferList*> RankedStep::buffer_lists() const {
  std::vector<const BufferList*> lists = {&gradients_->buffers(), &norm_.buffers(),
                                          &collectives_.buffers()};
  if (!options_.optimizer_elsewhere) lists.push_back(&optimizer_->buffers());
  if (gathered_) lists.push_back(&gathered_->buffers());
  if (gathered_ && !options_.shard_elsewhere) lists.push_back(&gathered_->shard_buffers());
  return lists;
}

const BufferList& RankedStep::shard_buffers() const {
  HONE_ASSERT(gathered_.has_value());
  return gathered_->shard_buffers();
}

void RankedStep::tell(const DoneWith& done_with) {
  optimizer_->tell(done_with);
  if (gathered_) gathered_->tell(done_with);
}

void RankedStep::describe(Plan& plan) const {
  for (const BufferList* list : buffer_lists()) list->describe(plan);
}

void RankedStep::bind(const Arena& arena) {
  for (const BufferList* list : buffer_lists()) list->bind(arena);
}

void RankedStep::set_weights(const TensorView& flat) {
  weights_ = flat;
  if (!gathered_) return;
  gathered_->forget();
  for (const FlatRun& run : map_.owned(rank())) {
    const TensorView from = flat.slice(run.first, run.elements);
    const TensorView to = parallel::own_run(gathered_->shard(), false, map_, rank(), run);
    std::memcpy(to.raw(), from.raw(), from.bytes());
  }
}

// Waits first for what the collective thread has in hand: one call at a time.
void RankedStep::sum(std::span<double> numbers) {
  gradients_->complete();
  wait_in([&] { collectives_.sum(numbers); });
}

void RankedStep::wait_in(const std::function<void()>& collective) {
  const auto start = std::chrono::steady_clock::now();
  collective();
  waited_seconds_ +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double RankedStep::gradient_norm(ops::OpContext& ops) {
  gradients_->complete();
  return norm_.measure(ops, *gradients_);
}

void RankedStep::update(ops::OpContext& ops, const optimizers::Update& update) {
  if (gathered_) gathered_->forget();
  optimizer_->update(ops, weights(), gradients_->sums(), update);
  const bool parts_are_old =
      options_.stage == Stage::optimizer_state || options_.stage == Stage::gradients;
  if (parts_are_old) wait_in([&] { collectives_.all_gather(weights_, map_.parts()); });
}

std::vector<optimizers::HeldRun> RankedStep::held() const {
  return held_runs(map_, rank());
}

std::string RankedStep::first_non_finite_gradient() const {
  return first_non_finite(gradients_->sums(), gradients_->whole());
}

std::string RankedStep::first_non_finite_weight() const {
  return first_non_finite(weights(), !gathered_);
}

std::string RankedStep::first_non_finite(const TensorView& values, bool whole) const {
  for (const FlatRun& run : map_.owned(rank())) {
    const TensorView own = parallel::own_run(values, whole, map_, rank(), run);
    for (const FlatRange& range : layout_.ranges()) {
      const std::int64_t begin = std::max(range.first, run.first);
      const std::int64_t end = std::min(range.first + range.elements, run.first + run.elements);
      for (std::int64_t i = begin; i < end; ++i) {
        if (!is_finite(own, i - run.first)) return registry_.at(range.id).name;
      }
    }
  }
  return {};
}

}  // namespace hone::assemble
