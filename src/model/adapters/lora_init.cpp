#include "model/adapters/lora_init.h"

#include <cmath>

#include "base/random.h"

namespace hone::model {

void initialize_lora(const ParameterRegistry& registry, const FlatLayout& layout,
                     const layers::AdapterSet& adapters, std::uint64_t seed,
                     const TensorView& trainable) {
  const CounterRandom random(seed, RandomStream::adapter_init);
  for (const layers::Adapter& adapter : adapters.adapters()) {
    const FlatRange& a = layout.range_of(adapter.a);
    const double in = static_cast<double>(registry.at(adapter.a).shape[1]);
    const float bound = static_cast<float>(1.0 / std::sqrt(in));
    float* values = trainable.data<float>();
    for (std::int64_t i = a.first; i < a.first + a.elements; ++i) {
      values[i] = bound * (2.0f * random.uniform(static_cast<std::uint64_t>(i), 0) - 1.0f);
    }
    const FlatRange& b = layout.range_of(adapter.b);
    for (std::int64_t i = b.first; i < b.first + b.elements; ++i) values[i] = 0.0f;
  }
}

}  // namespace hone::model
