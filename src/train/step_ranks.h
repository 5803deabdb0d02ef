// What the ranks of a run do together in every step: sums of losses and gradients, the norm, the
// update. The loop is the same for one rank (one_rank.h) and for many (assemble/ranked_step.h).
//
// Every rank makes the same calls in the same order: begin_step(); for each micro-step begin_pass()
// and a backward pass into sink(); sum(); gradient_norm(); update(), unless all of them stopped.
// Sums may be asked for at any time between passes.
#pragma once

#include <span>
#include <string>

#include "device/interface/device.h"
#include "ops/op_context.h"
#include "optimizers/optimizer.h"
#include "parameters/contracts.h"

namespace hone::train {

class StepRanks {
 public:
  virtual ~StepRanks() = default;

  virtual int rank() const = 0;
  virtual int ranks() const = 0;

  virtual GradientSink& sink() = 0;
  // Gradients are zero.
  virtual void begin_step(Device& device) = 0;
  virtual void begin_pass(bool last_of_step) = 0;

  // The sum of one number of each rank, in rank order in f64: the same on all.
  virtual double sum(double mine) = 0;
  // The same of several numbers, in place; as many on every rank.
  virtual void sum(std::span<double> numbers) = 0;

  // Whether it is so on any rank: the same answer on all.
  bool any(bool mine) { return sum(mine ? 1.0 : 0.0) > 0.0; }

  // Of the gradients summed over ranks and micro-steps; the same bits on all.
  virtual double gradient_norm(ops::OpContext& ops) = 0;

  // Updates the weights; afterwards every rank's walk sees the new ones.
  virtual void update(ops::OpContext& ops, const optimizers::Update& update) = 0;

  // How long this rank has waited for others so far, within the calls above and the walk.
  virtual double waited_seconds() const = 0;

  // Among the gradients that this rank holds, the first parameter with a value that is not finite;
  // empty: none.
  virtual std::string first_non_finite_gradient() const = 0;
  // The same among the trained weights that this rank holds.
  virtual std::string first_non_finite_weight() const = 0;
};

}  // namespace hone::train
