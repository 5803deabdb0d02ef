#include "optimizers/gradient_norm.h"

#include <algorithm>
#include <cmath>

#include "ops/squared_norm.h"

namespace hone::optimizers {

GradientNorm::GradientNorm(std::int64_t elements) {
  buffers_.add(partials_, "partial sums of the gradient norm", Category::scratch, DType::f64,
               {ops::segments(elements)});
}

double GradientNorm::measure(ops::OpContext& context, const ConstTensorView& gradients) {
  ops::run(context, ops::SquaredNorm{.x = gradients, .partials = partials_});
  double sum = 0.0;
  for (std::int64_t i = 0; i < partials_.rows(); ++i) sum += partials_.data<double>()[i];
  return std::sqrt(sum);
}

double clip_factor(double norm, double max_norm) {
  return max_norm > 0.0 ? std::min(1.0, max_norm / (norm + 1e-6)) : 1.0;
}

std::string first_non_finite(const ParameterRegistry& registry, const FlatLayout& layout,
                             const ConstTensorView& values) {
  const bool narrow = values.dtype() == DType::bf16;
  for (const FlatRange& range : layout.ranges()) {
    for (std::int64_t i = range.first; i < range.first + range.elements; ++i) {
      const float value = narrow ? to_float(values.data<BFloat16>()[i]) : values.data<float>()[i];
      if (!std::isfinite(value)) return registry.at(range.id).name;
    }
  }
  return {};
}

}  // namespace hone::optimizers
