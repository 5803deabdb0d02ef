// The steps of a run on several ranks: ZeRO 0 to 3, over any transport.
//
// The mathematics is that of one rank: losses and gradients are weighed by the tokens of all ranks
// and summed in rank order, the norm is that of the sums, and every rank applies the same update to
// what it owns.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "parallel/sharding/gathered_parameters.h"
#include "parallel/sharding/sharded_norm.h"
#include "parallel/sharding/step_gradients.h"
#include "train/step_ranks.h"

namespace hone::assemble {

struct RankedStepOptions {
  parallel::Stage stage = parallel::Stage::replicated;
  parallel::CollectiveOptions collectives;
  DType weights = DType::f32;  // of the trained weights
  bool tied_embedding = false;
  // Owned state that whoever made this step binds to memory of his own; see optimizer() and
  // shard_buffers().
  bool optimizer_elsewhere = false;
  bool shard_elsewhere = false;  // stage 3
};

class RankedStep final : public train::StepRanks {
 public:
  // Makes an optimizer for segments of a state of so many elements.
  using MakeOptimizer = std::function<std::unique_ptr<optimizers::Optimizer>(
      std::vector<optimizers::Segment>, std::int64_t elements)>;

  // `segments` of the whole flat space. `whole` has all parameters: at stage 3 only its frozen ones
  // are asked for. All references must outlive this object.
  RankedStep(const RankedStepOptions& options, parallel::Transport& transport,
             const ParameterRegistry& registry, const FlatLayout& layout, ParameterSource& whole,
             const std::vector<optimizers::Segment>& segments, const MakeOptimizer& make_optimizer);

  // The arena's memory must outlive this object.
  void describe(Plan& plan) const;
  void bind(const Arena& arena);

  // The trained weights, flat: what is updated up to stage 2, and must stay where it is; at stage 3
  // the rank's shard is copied from it. The same on every rank.
  void set_weights(const TensorView& flat);

  // Where the walk gets its weights.
  ParameterSource& parameters() { return gathered_ ? *gathered_ : whole_; }
  // The rank's trained weights: whole up to stage 2, its shard at stage 3.
  const TensorView& weights() const { return gathered_ ? gathered_->shard() : weights_; }

  const parallel::ShardMap& map() const { return map_; }
  parallel::Stage stage() const { return options_.stage; }
  // What of the flat space this rank owns, in rising order.
  std::vector<optimizers::HeldRun> held() const;
  optimizers::Optimizer& optimizer() { return *optimizer_; }
  const BufferList& shard_buffers() const;  // of stage 3
  // Who is told of state and weights that are done with.
  void tell(const DoneWith& done_with);
  parallel::Collectives& collectives() { return collectives_; }

  int rank() const override { return collectives_.rank(); }
  int ranks() const override { return collectives_.ranks(); }
  GradientSink& sink() override { return *gradients_; }
  void begin_step(Device& device) override { gradients_->begin_step(device); }
  void begin_pass(bool last_of_step) override { gradients_->begin_pass(last_of_step); }
  double sum(double mine) override {
    sum({&mine, 1});
    return mine;
  }
  void sum(std::span<double> numbers) override;
  double gradient_norm(ops::OpContext& ops) override;
  void update(ops::OpContext& ops, const optimizers::Update& update) override;
  double waited_seconds() const override { return waited_seconds_ + thread_.waited_seconds(); }
  std::string first_non_finite_gradient() const override;
  std::string first_non_finite_weight() const override;

 private:
  std::vector<const BufferList*> buffer_lists() const;
  // Runs what asks for all ranks, and counts how long it takes.
  void wait_in(const std::function<void()>& collective);
  // Among the rank's own runs of `values`, which it holds whole or end to end.
  std::string first_non_finite(const TensorView& values, bool whole) const;

  RankedStepOptions options_;
  const ParameterRegistry& registry_;
  const FlatLayout& layout_;
  ParameterSource& whole_;
  parallel::ShardMap map_;
  parallel::Collectives collectives_;
  std::unique_ptr<parallel::StepGradients> gradients_;
  parallel::ShardedNorm norm_;
  std::optional<parallel::GatheredParameters> gathered_;  // stage 3
  std::unique_ptr<optimizers::Optimizer> optimizer_;
  TensorView weights_;
  double waited_seconds_ = 0.0;        // on the caller's thread
  parallel::CollectiveThread thread_;  // ends before what it works on
};

}  // namespace hone::assemble
