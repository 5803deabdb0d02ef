// First values of new LoRA matrices.
#pragma once

#include <cstdint>

#include "base/tensor_view.h"
#include "layers/adapter_set.h"
#include "parameters/flat_layout.h"

namespace hone::model {

// A uniform in (-1/sqrt(in), 1/sqrt(in)), B zero: PEFT's defaults (Kaiming uniform with a = sqrt
// 5). `trainable` is the flat array of the layout, f32. Each element's number depends on the seed
// and on its index in the flat space only.
void initialize_lora(const ParameterRegistry& registry, const FlatLayout& layout,
                     const layers::AdapterSet& adapters, std::uint64_t seed,
                     const TensorView& trainable);

}  // namespace hone::model
