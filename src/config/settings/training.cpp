#include <cmath>

#include "base/error.h"
#include "config/settings/training.h"

namespace hone::config {

std::int64_t steps_of(double amount, std::int64_t total_steps) {
  HONE_ASSERT(amount >= 0 && total_steps >= 0, amount, total_steps);
  if (amount >= 1) return static_cast<std::int64_t>(amount);
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(total_steps) * amount));
}

}  // namespace hone::config
