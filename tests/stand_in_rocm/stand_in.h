// The machine that the stand-in of ROCm plays: which cards it has, and what goes wrong.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <hip/hip_runtime_api.h>

namespace hone::stand_in {

struct PlayedCard {
  std::string name = "AMD Instinct MI300X";
  std::string architecture = "gfx942:sramecc+:xnack-";
  std::size_t memory_bytes = std::size_t{1} << 30;
  int wave_width = 64;
  bool managed_memory = true;
};

struct Machine {
  std::vector<PlayedCard> cards = {PlayedCard{}};
  // What a call of that name answers instead of doing its work.
  std::map<std::string, hipError_t> failures;
  // Work of a stream is done when it is waited for, as on a card, and not before.
  bool blas_starts = true;
  // Added to the last sum of every product: a library that is wrong.
  float product_error = 0.0f;
  bool atomics_allowed = true;

  // What is held now.
  std::size_t used_bytes = 0;
  int streams = 0;
  int handles = 0;
};

// The one of this process. The state of a C API is global; tests take a fresh one. At first it is
// what the environment says: STAND_IN_ROCM is a list of architectures, empty for no card, or the
// name of a call and the number of an error that it answers: "hipGetDeviceCount=35".
Machine& machine();
void reset(Machine fresh = {});

// Whether memory was given by hipMallocManaged and not taken back.
bool is_of_a_card(const void* first, std::size_t bytes);

// Puts work at the end of a stream.
void enqueue(hipStream_t stream, std::function<void()> work);

}  // namespace hone::stand_in
