#include "assemble/ranked_step.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hone::assemble {
namespace {

using parallel::FlatRun;
using parallel::Stage;

std::unique_ptr<optimizers::Optimizer> make_own_optimizer(
    Stage stage, const parallel::ShardMap& map, int rank,
    const std::vector<optimizers::Segment>& segments,
    const RankedStep::MakeOptimizer& make_optimizer) {
  if (stage == Stage::replicated) return make_optimizer(segments, map.elements());
  std::vector<optimizers::HeldRun> held;
  for (const FlatRun& run : map.owned(rank)) held.push_back({run.first, run.elements});
  return make_optimizer(optimizers::held_segments(segments, held, stage != Stage::parameters,
                                                  stage == Stage::optimizer_state),
                        map.owned_elements(rank));
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
                                          &optimizer_->buffers(), &collectives_.buffers()};
  if (gathered_) lists.push_back(&gathered_->buffers());
  return lists;
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

double RankedStep::sum(double mine) {
  gradients_->complete();
  return collectives_.sum(mine);
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
  if (parts_are_old) collectives_.all_gather(weights_, map_.parts());
}

std::string RankedStep::first_non_finite_gradient() const {
  for (const FlatRun& run : map_.owned(rank())) {
    const TensorView values =
        parallel::own_run(gradients_->sums(), gradients_->whole(), map_, rank(), run);
    for (const FlatRange& range : layout_.ranges()) {
      const std::int64_t begin = std::max(range.first, run.first);
      const std::int64_t end = std::min(range.first + range.elements, run.first + run.elements);
      for (std::int64_t i = begin; i < end; ++i) {
        if (!std::isfinite(values.data<float>()[i - run.first])) return registry_.at(range.id).name;
      }
    }
  }
  return {};
}

}  // namespace hone::assemble
