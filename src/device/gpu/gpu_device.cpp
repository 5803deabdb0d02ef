#include "device/gpu/gpu_device.h"

#include "base/error.h"

namespace hone::hip {
namespace {

SeenCard card_at(int index) {
  const std::vector<SeenCard> cards = seen_cards();
  if (index >= 0 && static_cast<std::size_t>(index) < cards.size()) {
    return cards[static_cast<std::size_t>(index)];
  }
  std::string found = std::to_string(cards.size()) + (cards.size() == 1 ? " GPU" : " GPUs");
  for (std::size_t i = 0; i < cards.size(); ++i) {
    found += std::string(i == 0 ? ": " : ", ") + "gpu:" + std::to_string(i) + " " + cards[i].name;
  }
  throw UserError({"device: gpu:" + std::to_string(index), found,
                   "name one of them; variables such as HIP_VISIBLE_DEVICES hide others"});
}

}  // namespace

GpuDevice::GpuDevice(int index, int threads) : index_(index) {
  const SeenCard seen = card_at(index);
  card_ = seen.card;
  properties_.kind = DeviceKind::gpu;
  properties_.name = seen.name + " (" + card_.target + ")";
  properties_.threads = threads;
  if (!seen.managed_memory) {
    throw UserError({asked("device"), "memory that CPU and GPU share is not offered by this driver",
                     "use Linux's own amdgpu driver (not WSL) with a kernel of 5.14 or newer, or "
                     "set device: cpu"});
  }
  require(hipSetDevice(index), asked("device"));
  std::size_t free_bytes = 0, all_bytes = 0;
  require(hipMemGetInfo(&free_bytes, &all_bytes), asked("free memory"));
  properties_.memory_bytes = free_bytes;
  stream_ = std::make_unique<Stream>();
  products_ = std::make_unique<ProductLibrary>(stream(), properties_.name);
}

std::string GpuDevice::asked(std::string_view what) const {
  return std::string(what) + " on GPU " + std::to_string(index_) + ", " + properties_.name;
}

void* GpuDevice::allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  const std::string what = asked("memory: " + std::to_string(bytes) + " bytes");
  require(hipMallocManaged(&memory, bytes, hipMemAttachGlobal), what);
  // A wish, which a driver may not know: without it everything is merely slower.
  (void)hipMemAdvise(memory, bytes, hipMemAdviseSetPreferredLocation, index_);
  (void)hipGetLastError();
  fill_zero(memory, bytes);
  return memory;
}

void GpuDevice::release(void* memory, std::size_t) {
  (void)hipStreamSynchronize(stream());
  (void)hipFree(memory);
}

// Zeroing has touched every page; what the CPU has written since comes back to the card.
void GpuDevice::populate(void* memory, std::size_t bytes) {
  if (bytes == 0) return;
  (void)hipMemPrefetchAsync(memory, bytes, index_, stream());
  (void)hipGetLastError();
  settle("populate");
}

void GpuDevice::copy_in(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  require(hipMemcpyAsync(device, host, bytes, hipMemcpyHostToDevice, stream()), asked("a copy"));
  settle("a copy to the device");
}

void GpuDevice::copy_out(void* host, const void* device, std::size_t bytes) {
  if (bytes == 0) return;
  require(hipMemcpyAsync(host, device, bytes, hipMemcpyDeviceToHost, stream()), asked("a copy"));
  settle("a copy from the device");
}

void GpuDevice::fill_zero(void* device, std::size_t bytes) {
  if (bytes == 0) return;
  require(hipMemsetAsync(device, 0, bytes, stream()), asked("zeroing"));
  settle("zeroing");
}

void GpuDevice::settle(std::string_view op) {
  require(hipStreamSynchronize(stream()), asked(op));
}

}  // namespace hone::hip
