// A libFuzzer target; HONE_FUZZ_TRIAL names the trial and HONE_FUZZ_HEADER the file that has it
// (tests/fuzz/CMakeLists.txt makes one program of each).
#include <cstddef>
#include <cstdint>

#include HONE_FUZZ_HEADER

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  HONE_FUZZ_TRIAL({reinterpret_cast<const char*>(data), size});
  return 0;
}
