// The GPU behind a context.
#pragma once

#include "base/error.h"
#include "device/gpu/gpu_device.h"
#include "ops/op_context.h"

namespace hone::kernels::rocm {

inline hip::GpuDevice& gpu_of(const ops::OpContext& context) {
  auto* device = dynamic_cast<hip::GpuDevice*>(context.device);
  HONE_ASSERT(device != nullptr, "an operation of the GPU module on another device");
  return *device;
}

}  // namespace hone::kernels::rocm
