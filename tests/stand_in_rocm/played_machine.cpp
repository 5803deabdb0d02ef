// The functions of kernels/gpu/gpu.h that need to know the device, for the module that tests load:
// the device is the module's own, over the stand-in of HIP, and launches are the emulated device's.
#include <map>

#include "kernels/gpu/gpu.h"
#include "kernels/rocm/gpu_of.h"
#include "stand_in_rocm/stand_in.h"

namespace hone::kernels::gpu {
namespace {

EmulatedDevice& player_of(const Card& card) {
  static std::map<std::string, EmulatedDevice> players;
  return players.try_emplace(card.target, EmulatedOptions{.card = card}).first->second;
}

}  // namespace

const Card& card_of(const ops::OpContext& context) {
  return rocm::gpu_of(context).card();
}

void check_operand(const ops::OpContext&, std::string_view op, const char* name, const void* first,
                   std::size_t bytes) {
  HONE_ASSERT(stand_in::is_of_a_card(first, bytes), op, name, "is not in the card's memory");
}

// At once, after what the stream holds: a kernel does not outlive its launch.
void launch_emulated(ops::OpContext& context, const EmulatedDevice::Launch& launch,
                     emulated::Block::Body body, const void* kernel) {
  hip::GpuDevice& device = rocm::gpu_of(context);
  device.settle(launch.kernel);
  player_of(device.card()).launch(launch, body, kernel);
}

}  // namespace hone::kernels::gpu
