#include "device/emulated/emulated_device.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>

#include "base/error.h"

namespace hone {
namespace {

constexpr std::size_t kAlignment = 4096;
// Reads as NaN in every floating type, as -1 in every integer: nothing may depend on it.
constexpr int kPoison = 0xFF;

struct SharedMemory {
  explicit SharedMemory(std::size_t size)
      : bytes(size), data(::operator new(std::max<std::size_t>(size, 1), std::align_val_t{64})) {}
  ~SharedMemory() { ::operator delete(data, std::align_val_t{64}); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::size_t bytes;
  void* data;
};

}  // namespace

EmulatedDevice::EmulatedDevice(EmulatedOptions options) : options_(std::move(options)) {
  properties_.kind = DeviceKind::emulated;
  properties_.name = options_.card.target + " (emulated)";
  properties_.memory_bytes = options_.memory_bytes;
}

EmulatedDevice::~EmulatedDevice() {
  for (const auto& [memory, bytes] : allocations_) {
    ::operator delete(const_cast<std::byte*>(memory), std::align_val_t{kAlignment});
  }
}

void* EmulatedDevice::allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  const std::size_t free_bytes = options_.memory_bytes - used_bytes_;
  if (bytes > free_bytes) {
    throw UserError({"memory: " + std::to_string(bytes) + " bytes on " + properties_.name,
                     std::to_string(free_bytes) + " of " + std::to_string(options_.memory_bytes) +
                         " bytes are free",
                     "set a smaller cutoff_len or micro_step_tokens"});
  }
  void* memory = ::operator new(bytes, std::align_val_t{kAlignment});
  std::memset(memory, 0, bytes);
  allocations_.emplace(static_cast<const std::byte*>(memory), bytes);
  used_bytes_ += bytes;
  return memory;
}

void EmulatedDevice::release(void* memory, std::size_t bytes) {
  const auto found = allocations_.find(static_cast<const std::byte*>(memory));
  HONE_ASSERT(found != allocations_.end() && found->second == bytes, bytes);
  allocations_.erase(found);
  used_bytes_ -= bytes;
  ::operator delete(memory, std::align_val_t{kAlignment});
}

void EmulatedDevice::copy_in(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  check_operand("copy_in", "its target", device, bytes);
  std::memcpy(device, host, bytes);
}

void EmulatedDevice::copy_out(void* host, const void* device, std::size_t bytes) {
  if (bytes == 0) return;
  check_operand("copy_out", "its source", device, bytes);
  std::memcpy(host, device, bytes);
}

void EmulatedDevice::fill_zero(void* device, std::size_t bytes) {
  if (bytes == 0) return;
  check_operand("fill_zero", "its target", device, bytes);
  std::memset(device, 0, bytes);
}

void EmulatedDevice::check_operand(std::string_view kernel, const char* name, const void* first,
                                   std::size_t bytes) const {
  if (options_.host_memory_is_visible || bytes == 0) return;
  const auto* start = static_cast<const std::byte*>(first);
  auto after = allocations_.upper_bound(start);
  if (after != allocations_.begin()) {
    const auto& [memory, size] = *std::prev(after);
    if (start + bytes <= memory + size) return;
  }
  throw InternalError(std::string(kernel) + " on " + options_.card.target + ": " + name +
                      " is not in the device's memory");
}

void EmulatedDevice::check_limits(const Launch& launch) const {
  const Card& card = options_.card;
  const auto refuse = [&](const std::string& asked, const std::string& limit) {
    throw InternalError(std::string(launch.kernel) + " on " + card.target + ": " + asked + ", " +
                        limit);
  };
  const std::string threads = std::to_string(launch.threads) + " threads a block";
  if (launch.threads < 1 || launch.threads > card.most_block_threads) {
    refuse(threads, "the card takes 1 to " + std::to_string(card.most_block_threads));
  }
  if (launch.threads > launch.most_threads) {
    refuse(threads, "the kernel was compiled for " + std::to_string(launch.most_threads));
  }
  if (launch.threads % card.wave_width != 0) {
    refuse(threads, "which are no whole waves of " + std::to_string(card.wave_width));
  }
  if (launch.wave_width != 0 && launch.wave_width != card.wave_width) {
    refuse("compiled for waves of " + std::to_string(launch.wave_width),
           "the card's have " + std::to_string(card.wave_width));
  }
  if (launch.blocks < 1 || launch.blocks > card.most_blocks) {
    refuse(std::to_string(launch.blocks) + " blocks",
           "the card takes 1 to " + std::to_string(card.most_blocks));
  }
  if (launch.blocks > card.most_threads / launch.threads) {
    refuse(std::to_string(launch.blocks) + " blocks of " + threads,
           "the card takes " + std::to_string(card.most_threads) + " threads in all");
  }
  if (launch.shared_bytes > card.shared_bytes) {
    refuse(std::to_string(launch.shared_bytes) + " bytes of local data share",
           "the card has " + std::to_string(card.shared_bytes) + " a block");
  }
}

void EmulatedDevice::launch(const Launch& launch, emulated::Block::Body body, const void* kernel) {
  check_limits(launch);
  std::unique_ptr<emulated::Block>& kept = blocks_[launch.threads];
  if (!kept) kept = std::make_unique<emulated::Block>(launch.threads);
  emulated::Block& block = *kept;
  block.begin({std::string(launch.kernel),
               &options_.card,
               launch.blocks,
               launch.threads,
               options_.card.wave_width,
               {}});
  const SharedMemory shared(launch.shared_bytes);
  std::vector<std::int64_t> order(static_cast<std::size_t>(launch.blocks));
  std::iota(order.begin(), order.end(), 0);
  if (seed_ != 0) emulated::Shuffle(seed_).permute(order.data(), launch.blocks);
  for (const std::int64_t index : order) {
    std::memset(shared.data, kPoison, shared.bytes);
    block.run(index, seed_, body, kernel, shared.data);
  }
  if (records_) {
    const emulated::Traffic& traffic = block.facts().traffic;
    records_->push_back({block.facts().kernel, traffic.loaded_bytes, traffic.stored_bytes});
  }
}

}  // namespace hone
