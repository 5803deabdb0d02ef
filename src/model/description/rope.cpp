#include "model/description/rope.h"

#include <algorithm>
#include <cmath>

namespace hone::model {
namespace {

constexpr double kPi = 3.14159265358979323846;

void stretch_llama3(const RopeScaling& scaling, std::vector<double>& frequencies) {
  const double low = scaling.low_frequency_factor;
  const double high = scaling.high_frequency_factor;
  for (double& frequency : frequencies) {
    const double turns = scaling.original_positions * frequency / (2.0 * kPi);
    if (turns < low) {
      frequency /= scaling.factor;
    } else if (turns <= high) {
      const double kept = (turns - low) / (high - low);
      frequency = (1.0 - kept) * frequency / scaling.factor + kept * frequency;
    }
  }
}

// The (fractional) dimension whose frequency turns `turns` times within the original length.
double dimension_of(const ModelDescription& description, double turns) {
  const double length = description.rope_scaling.original_positions;
  return static_cast<double>(description.head_width) * std::log(length / (turns * 2.0 * kPi)) /
         (2.0 * std::log(description.rope_theta));
}

void stretch_yarn(const ModelDescription& description, std::vector<double>& frequencies) {
  const RopeScaling& scaling = description.rope_scaling;
  const double last = static_cast<double>(description.head_width - 1);
  const double low = std::max(std::floor(dimension_of(description, scaling.beta_fast)), 0.0);
  double high = std::min(std::ceil(dimension_of(description, scaling.beta_slow)), last);
  if (high == low) high += 0.001;  // the ramp becomes a step, as in the published implementation
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
    frequencies[i] = frequencies[i] / scaling.factor * ramp + frequencies[i] * (1.0 - ramp);
  }
}

}  // namespace

std::vector<double> rope_frequencies(const ModelDescription& description) {
  std::vector<double> frequencies(static_cast<std::size_t>(description.head_width / 2));
  const double width = static_cast<double>(description.head_width);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    frequencies[i] = std::pow(description.rope_theta, -2.0 * static_cast<double>(i) / width);
  }
  switch (description.rope_scaling.kind) {
    case RopeKind::plain:
    case RopeKind::dynamic:
      break;
    case RopeKind::linear:
      for (double& frequency : frequencies) frequency /= description.rope_scaling.factor;
      break;
    case RopeKind::llama3:
      stretch_llama3(description.rope_scaling, frequencies);
      break;
    case RopeKind::yarn:
      stretch_yarn(description, frequencies);
      break;
  }
  return frequencies;
}

void fill_rope_table(const ModelDescription& description, const TensorView& cosines,
                     const TensorView& sines) {
  const std::vector<double> frequencies = rope_frequencies(description);
  const double factor = description.rope_scaling.attention_factor;
  for (std::int64_t position = 0; position < cosines.rows(); ++position) {
    float* cosine = cosines.row<float>(position);
    float* sine = sines.row<float>(position);
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      const double angle = static_cast<double>(position) * frequencies[i];
      cosine[i] = static_cast<float>(std::cos(angle) * factor);
      sine[i] = static_cast<float>(std::sin(angle) * factor);
    }
  }
}

}  // namespace hone::model
