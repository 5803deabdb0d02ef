// A few steps of training on ranks that are threads, and on one rank that knows nothing of others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/adapters/lora_placement.h"
#include "parallel/sharding/step_gradients.h"
#include "unit/formats/temporary_folder.h"

namespace hone::ranks {

struct TrainingOptions {
  // No stage: one rank, train::OneRank.
  std::optional<parallel::Stage> stage = std::nullopt;
  int ranks = 1;
  int micro_steps = 1;  // of every rank
  int sequences = 6;    // of a step, dealt to ranks and micro-steps in turn
  std::int64_t staging_bytes = std::int64_t{1} << 20;
  std::optional<model::LoraOptions> lora = std::nullopt;
  DType weights = DType::f32;
};

// What one rank saw.
struct TrainingResult {
  std::vector<double> losses;
  std::vector<double> gradient_norms;
  std::vector<float> weights;      // all trained ones, after the last step
  std::int64_t bytes_on_wire = 0;  // of the last step
  std::int64_t own_elements = 0;
  std::size_t optimizer_bytes = 0;
  std::int64_t elements = 0;  // trained in all
};

constexpr int kSteps = 3;
constexpr double kLearningRate = 1e-5;

// Models of several segments of the gradient norm, so that there is something to share out.
class RankedTraining {
 public:
  explicit RankedTraining(bool tied = false);

  // By rank.
  std::vector<TrainingResult> run(const TrainingOptions& options) const;

  std::filesystem::path model() const { return place_.path() / "MODEL"; }

 private:
  formats::TemporaryFolder place_;
};

}  // namespace hone::ranks
