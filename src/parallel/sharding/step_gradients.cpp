#include "parallel/sharding/step_gradients.h"

#include <utility>

#include "base/error.h"
#include "parallel/sharding/unit_slots.h"

namespace hone::parallel {
namespace {

// Tells when the last trained parameter of a unit is finished.
class UnitCountdown {
 public:
  explicit UnitCountdown(const ParameterRegistry& registry)
      : registry_(registry), trained_(static_cast<std::size_t>(registry.head_unit()) + 1, 0) {
    for (ParameterId id = 0; id < registry.size(); ++id) {
      if (registry.at(id).trainable) ++trained_[static_cast<std::size_t>(registry.at(id).unit)];
    }
    left_ = trained_;
  }

  bool was_last(ParameterId id) {
    const auto unit = static_cast<std::size_t>(registry_.at(id).unit);
    if (--left_[unit] > 0) return false;
    left_[unit] = trained_[unit];
    return true;
  }

 private:
  const ParameterRegistry& registry_;
  std::vector<int> trained_;
  std::vector<int> left_;
};

// Stages 0 and 1.
class WholeGradients final : public StepGradients {
 public:
  WholeGradients(const ShardingContext& context, bool gathered)
      : context_(context),
        gathered_(gathered),
        runs_(unit_runs(context.registry, context.layout)),
        countdown_(context.registry) {
    buffers_.add(flat_, "gradients", Category::gradients, DType::f32, {context.layout.elements()});
  }

  const BufferList& buffers() const override { return buffers_; }
  void begin_step(Device& device) override { device.fill_zero(flat_.raw(), flat_.bytes()); }
  void begin_pass(bool last_of_step) override { last_ = last_of_step; }

  TensorView gradient(ParameterId id) override {
    const FlatRange& range = context_.layout.range_of(id);
    return flat_.slice(range.first, range.elements).reshape(context_.registry.at(id).shape);
  }

  void finished(ParameterId id) override {
    if (!countdown_.was_last(id) || !last_) return;
    const Unit unit = context_.registry.at(id).unit;
    context_.thread.submit([this, unit] {
      for (const FlatRun& run : runs_[static_cast<std::size_t>(unit)]) reduce(run);
    });
  }

  void complete() override { context_.thread.wait_for_all(); }
  const TensorView& sums() const override { return flat_; }
  bool whole() const override { return true; }

 private:
  void reduce(const FlatRun& run) {
    const std::vector<Part> parts = context_.map.parts_within(run);
    const TensorView values = flat_.slice(run.first, run.elements);
    if (gathered_) {
      context_.collectives.all_reduce(values, parts);
    } else {
      context_.collectives.reduce_scatter(values, parts);
    }
  }

  ShardingContext context_;
  bool gathered_;
  std::vector<std::vector<FlatRun>> runs_;
  UnitCountdown countdown_;
  bool last_ = false;
  BufferList buffers_;
  TensorView flat_;
};

// Stages 2 and 3.
class ShardGradients final : public StepGradients {
 public:
  explicit ShardGradients(const ShardingContext& context)
      : context_(context),
        slots_(context.registry, context.layout, context.tied_embedding, DType::f32,
               Category::gradients, "gradients"),
        countdown_(context.registry),
        open_(static_cast<std::size_t>(context.registry.head_unit()) + 1, false) {
    buffers_ = slots_.buffers();
    buffers_.add(shard_, "gradients: shard", Category::gradients, DType::f32,
                 {context.map.owned_elements(context.collectives.rank())});
  }

  const BufferList& buffers() const override { return buffers_; }

  void begin_step(Device& device) override {
    device_ = &device;
    passes_ = 0;
  }
  void begin_pass(bool) override { ++passes_; }

  TensorView gradient(ParameterId id) override {
    open(context_.registry.at(id).unit);
    return slots_.parameter(id);
  }

  void finished(ParameterId id) override {
    if (!countdown_.was_last(id)) return;
    const Unit unit = context_.registry.at(id).unit;
    open(unit);  // nothing may have been added
    open_[static_cast<std::size_t>(unit)] = false;
    const bool accumulate = passes_ > 1;
    reductions_[slots_.slot_of(unit)] =
        context_.thread.submit([this, unit, accumulate] { reduce(unit, accumulate); });
  }

  void complete() override { context_.thread.wait_for_all(); }
  const TensorView& sums() const override { return shard_; }
  bool whole() const override { return false; }

 private:
  // The unit's slot, empty of what was in it and zero.
  void open(Unit unit) {
    if (open_[static_cast<std::size_t>(unit)]) return;
    context_.thread.wait(reductions_[slots_.slot_of(unit)]);
    const TensorView slot = slots_.unit(unit);
    device_->fill_zero(slot.raw(), slot.bytes());
    open_[static_cast<std::size_t>(unit)] = true;
  }

  void reduce(Unit unit, bool accumulate) {
    const int rank = context_.collectives.rank();
    const std::vector<FlatRun>& runs = slots_.runs(unit);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const std::vector<Part> parts = context_.map.parts_within(runs[i]);
      const TensorView mine =
          shard_.slice(context_.map.owned_before(rank, runs[i].first), owned_elements(parts, rank));
      context_.collectives.reduce_scatter(slots_.run(unit, i), parts, mine, accumulate);
    }
  }

  ShardingContext context_;
  UnitSlots slots_;
  UnitCountdown countdown_;
  std::vector<bool> open_;  // by unit: its slot holds this pass's contributions
  CollectiveThread::Ticket reductions_[UnitSlots::kSlots] = {0, 0, 0};
  Device* device_ = nullptr;
  int passes_ = 0;
  BufferList buffers_;
  TensorView shard_;
};

}  // namespace

std::unique_ptr<StepGradients> make_step_gradients(Stage stage, const ShardingContext& context) {
  if (stage == Stage::replicated || stage == Stage::optimizer_state) {
    return std::make_unique<WholeGradients>(context, stage == Stage::replicated);
  }
  return std::make_unique<ShardGradients>(context);
}

TensorView own_run(const TensorView& held, bool whole, const ShardMap& map, int rank,
                   const FlatRun& run) {
  return held.slice(whole ? run.first : map.owned_before(rank, run.first), run.elements);
}

}  // namespace hone::parallel
