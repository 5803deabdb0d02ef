// How the walk over a model gets at weights and hands over gradients. Sharding and offload are
// implementations of these contracts; layers and models see nothing else.
#pragma once

#include "base/tensor_view.h"
#include "parameters/registry.h"

namespace hone {

// Weights by unit. The walk calls, for each unit in its order:
//   announce(next)  - a hint: `next` will be acquired soon, fetching may begin;
//   acquire(unit)   - from here to release(unit), get() answers for the unit's parameters;
//   release(unit)   - views handed out for the unit are void.
// Units may be acquired while others are (a tied head acquires the embedding).
class ParameterSource {
 public:
  virtual ~ParameterSource() = default;
  virtual void announce(Unit unit) = 0;
  virtual void acquire(Unit unit) = 0;
  virtual void release(Unit unit) = 0;

  // The weight of an acquired unit: its registered shape, some weight dtype (ops/operand_rules.h).
  virtual ConstTensorView get(ParameterId id) = 0;
};

// Gradients by parameter, during one backward pass.
class GradientSink {
 public:
  virtual ~GradientSink() = default;

  // Where contributions to a trainable parameter's gradient are added: its shape, f32.
  virtual TensorView gradient(ParameterId id) = 0;

  // Called once per trainable parameter and backward pass, after the last contribution of this
  // pass: the sink may begin to reduce it.
  virtual void finished(ParameterId id) = 0;
};

// The rows of consecutive stacked parameters as one matrix.
template <class View>
View stack(const View& first, const View& last);

extern template TensorView stack(const TensorView& first, const TensorView& last);
extern template ConstTensorView stack(const ConstTensorView& first, const ConstTensorView& last);

// Acquires a unit for a scope.
class AcquiredUnit {
 public:
  AcquiredUnit(ParameterSource& source, Unit unit) : source_(source), unit_(unit) {
    source_.acquire(unit_);
  }
  ~AcquiredUnit() { source_.release(unit_); }
  AcquiredUnit(const AcquiredUnit&) = delete;
  AcquiredUnit& operator=(const AcquiredUnit&) = delete;

 private:
  ParameterSource& source_;
  Unit unit_;
};

}  // namespace hone
