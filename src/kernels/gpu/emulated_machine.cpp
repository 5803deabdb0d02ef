// The functions of gpu.h that need to know the device, for the emulated one.
#include "kernels/gpu/gpu.h"

namespace hone::kernels::gpu {
namespace {

EmulatedDevice& emulated_device(const ops::OpContext& context) {
  auto* device = dynamic_cast<EmulatedDevice*>(context.device);
  HONE_ASSERT(device != nullptr, "GPU kernels were built for the emulated device");
  return *device;
}

}  // namespace

const Card& card_of(const ops::OpContext& context) {
  return emulated_device(context).card();
}

void check_operand(const ops::OpContext& context, std::string_view op, const char* name,
                   const void* first, std::size_t bytes) {
  emulated_device(context).check_operand(op, name, first, bytes);
}

void launch_emulated(ops::OpContext& context, const EmulatedDevice::Launch& launch,
                     emulated::Block::Body body, const void* kernel) {
  emulated_device(context).launch(launch, body, kernel);
}

}  // namespace hone::kernels::gpu
