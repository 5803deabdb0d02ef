// Rotary frequencies and their table.
//
// Frequency i of E/2 is theta^(-2i/E), then stretched:
//   linear   divided by factor.
//   dynamic  as it is up to max_positions ("NTK-aware" scaling begins beyond; such lengths are
//   refused). llama3   by wavelength w = 2 pi / f against L = original_positions: w > L / low is
//   divided by
//            factor, w < L / high stays, between them both are mixed linearly in L / w
//            (Llama 3.1's published rope scaling).
//   yarn     mixed by a ramp over i between the dimensions that turn beta_fast and beta_slow times
//   in
//            L tokens (Peng et al., "YaRN", 2023); cosines and sines are multiplied by
//            0.1 ln(factor) + 1 unless the configuration gives attention_factor.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tensor_view.h"
#include "model/description/model_description.h"

namespace hone::model {

// [E/2] frequencies in radians per token.
std::vector<double> rope_frequencies(const ModelDescription& description);

// Fills cosines and sines, f32 [P, E/2], for positions 0 .. P-1.
void fill_rope_table(const ModelDescription& description, const TensorView& cosines,
                     const TensorView& sines);

}  // namespace hone::model
