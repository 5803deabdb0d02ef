// The functions of kernels/gpu/gpu.h that need to know the device, for cards.
#include "kernels/gpu/gpu.h"
#include "kernels/rocm/gpu_of.h"

namespace hone::kernels::gpu {

const Card& card_of(const ops::OpContext& context) {
  return rocm::gpu_of(context).card();
}

// Managed memory and the host's are told apart by nothing but HIP, and asking it costs more than a
// launch: what lies elsewhere ends in HIP's own error.
void check_operand(const ops::OpContext&, std::string_view, const char*, const void*, std::size_t) {
}

hipStream_t stream_of(const ops::OpContext& context) {
  return rocm::gpu_of(context).stream();
}

}  // namespace hone::kernels::gpu
