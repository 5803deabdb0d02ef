// The GPU module's entry: what the program finds in libhone_gpu.so.
#include "device/interface/gpu_module.h"

#include <sstream>
#include <string>

#include "base/error.h"
#include "device/gpu/gpu_device.h"
#include "kernels/rocm/settled_table.h"

namespace hone::kernels::rocm {
namespace {

bool has_target(const std::string& target) {
  std::istringstream targets(HONE_GPU_TARGETS);
  for (std::string one; std::getline(targets, one, ',');) {
    if (one == target) return true;
  }
  return false;
}

std::unique_ptr<Device> open(int index, int threads) {
  auto device = std::make_unique<hip::GpuDevice>(index, threads);
  if (!has_target(device->card().target)) {
    throw UserError(
        {"device: gpu:" + std::to_string(index) + ", " + device->properties().name,
         "the GPU module has kernels for " HONE_GPU_TARGETS " only",
         "build it for this card: GPU_TARGETS=" + device->card().target + " ./run build gpu"});
  }
  return device;
}

}  // namespace
}  // namespace hone::kernels::rocm

extern "C" __attribute__((visibility("default"))) const hone::GpuModule* hone_gpu_module() {
  static const hone::GpuModule module = {HONE_VERSION, &hone::kernels::rocm::settled_table(),
                                         &hone::kernels::rocm::open};
  return &module;
}
