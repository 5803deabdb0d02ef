// A libFuzzer target; HONE_FUZZ_TRIAL names the trial (tests/fuzz/CMakeLists.txt makes one program
// of each).
#include <cstddef>
#include <cstdint>

#include "fuzz/reader_trials.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hone::formats::HONE_FUZZ_TRIAL({reinterpret_cast<const char*>(data), size});
  return 0;
}
