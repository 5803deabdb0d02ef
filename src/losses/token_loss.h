// A loss that is a sum over label tokens, each a function of its own row's statistics.
//
// The head asks for it chunk by chunk; the loss answers with its value and, per row, the
// coefficient of the direction "probabilities minus one-hot label" in the gradient of the logits
// (ops/head.h).
#pragma once

#include <span>

namespace hone::losses {

class TokenLoss {
 public:
  virtual ~TokenLoss() = default;

  // log_probability [rows] of each row's label; weights [rows]: how much it counts. Returns the sum
  // of the rows' losses, in f64 and in order; assigns coefficients [rows], multiplied by `scale`.
  virtual double rows(std::span<const float> log_probability, std::span<const float> weights,
                      double scale, std::span<float> coefficients) const = 0;
};

}  // namespace hone::losses
