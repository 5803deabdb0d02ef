// What libhone_gpu.so hands to the program that loads it. The program links nothing of ROCm; the
// module links one major version of it, and is built from the same sources as the program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/interface/device.h"

namespace hone {

namespace ops {
struct OpTable;
}

struct GpuModule {
  const char* version = nullptr;  // of hone; must be the program's
  const ops::OpTable* table = nullptr;
  // `threads` of the CPU may work beside it. Throws UserError when there is no such GPU, or none
  // that can be used.
  std::unique_ptr<Device> (*open)(int index, int threads) = nullptr;
};

// The module's one function: extern "C", under this name.
inline constexpr const char* kGpuModuleEntry = "hone_gpu_module";
using GpuModuleEntry = const GpuModule* (*)();

}  // namespace hone
