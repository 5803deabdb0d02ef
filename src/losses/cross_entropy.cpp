#include "losses/cross_entropy.h"

#include "base/error.h"

namespace hone::losses {

double CrossEntropy::rows(std::span<const float> log_probability, std::span<const float> weights,
                          double scale, std::span<float> coefficients) const {
  HONE_ASSERT(log_probability.size() == weights.size() && weights.size() == coefficients.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum -= static_cast<double>(weights[i]) * static_cast<double>(log_probability[i]);
    coefficients[i] = static_cast<float>(static_cast<double>(weights[i]) * scale);
  }
  return sum;
}

}  // namespace hone::losses
