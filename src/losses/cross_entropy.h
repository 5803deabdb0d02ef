// Cross-entropy: the sum of -weight * log_probability over label tokens.
#pragma once

#include "losses/token_loss.h"

namespace hone::losses {

class CrossEntropy final : public TokenLoss {
 public:
  double rows(std::span<const float> log_probability, std::span<const float> weights, double scale,
              std::span<float> coefficients) const override;
};

}  // namespace hone::losses
