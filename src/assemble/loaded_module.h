// The GPU module, loaded when it is wanted: libhone_gpu.so beside libhone.so. The program itself
// links nothing of ROCm, so it starts and works on the CPU where ROCm is missing or broken.
#pragma once

#include <string>

#include "device/interface/gpu_module.h"

namespace hone::assemble {

// Whether the file is there; nothing is loaded.
bool gpu_module_is_there();

// Loads the module, once for the process. Throws UserError, beginning with `asked`, that says which
// part is missing: the module, a library of ROCm's, or the right version.
const GpuModule& load_gpu_module(const std::string& asked);

}  // namespace hone::assemble
