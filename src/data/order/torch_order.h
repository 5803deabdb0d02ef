// The order of samples that LLaMA-Factory's trainer uses: torch.randperm on a fresh CPU generator.
#pragma once

#include <cstdint>
#include <vector>

namespace hone::data {

// From this number of records on torch draws 64-bit numbers, which is not implemented.
inline constexpr std::int64_t kTorchOrderLimit = 4294967295 / 20;

// torch.randperm(records) after manual_seed(seed): mt19937 initialised with the low 32 bits of the
// seed; for i = 0 .. records - 2 swaps place i with place i + (next 32-bit draw mod (records - i)).
// Throws UserError at kTorchOrderLimit records or more.
std::vector<std::int32_t> torch_random_order(std::int64_t records, std::int64_t seed);

}  // namespace hone::data
