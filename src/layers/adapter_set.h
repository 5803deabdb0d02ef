// Where the LoRA matrices of a run sit.
#pragma once

#include <cstdint>
#include <vector>

#include "parameters/registry.h"

namespace hone::layers {

struct Adapter {
  ParameterId target = kNoParameter;  // the weight it is added to
  ParameterId a = kNoParameter;       // [rank, in]
  ParameterId b = kNoParameter;       // [out, rank]
  std::int64_t rank = 0;
  double scale = 1.0;         // alpha / rank, or alpha / sqrt(rank) for rsLoRA
  std::uint32_t channel = 0;  // distinguishes the dropout of one adapter from another's
};

class AdapterSet {
 public:
  explicit AdapterSet(double dropout_probability = 0.0)
      : dropout_probability_(dropout_probability) {}

  void add(const Adapter& adapter);

  // The adapter of a weight, or null.
  const Adapter* find(ParameterId target) const;

  const std::vector<Adapter>& adapters() const { return adapters_; }
  double dropout_probability() const { return dropout_probability_; }

 private:
  double dropout_probability_;
  std::vector<Adapter> adapters_;
  std::vector<int> index_by_target_;
};

}  // namespace hone::layers
