// A GPU that is not there: runs the GPU kernels' own sources on the CPU, as one card would.
//
// What is true of a card is true here: waves of its width, its local data share (filled with bytes
// that read as NaN before every block), its launch limits, blocks and threads in any order. The
// order comes from a seed: 0 is the order of indices, any other shuffles blocks, waves and threads,
// alike in every launch with that seed. Not emulated: speed, the memory model, matrix units.
//
// Broken promises of kernels are InternalErrors that name kernel, card, block and thread: an index
// outside of an operand or of an array in the local data share, a launch beyond the card's limits,
// a barrier or exchange that only some threads reach.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "device/emulated/block.h"
#include "device/interface/card.h"
#include "device/interface/device.h"

namespace hone {

struct EmulatedOptions {
  Card card;
  std::size_t memory_bytes = std::size_t{1} << 32;
  // Kernels may touch host memory that this device did not allocate. Off, an operand that lies
  // elsewhere is refused before the launch.
  bool host_memory_is_visible = false;
};

// What one launch moved between its threads and memory, every load and store counted.
struct LaunchRecord {
  std::string kernel;
  std::int64_t loaded_bytes = 0;
  std::int64_t stored_bytes = 0;
};

class EmulatedDevice final : public Device {
 public:
  explicit EmulatedDevice(EmulatedOptions options);
  ~EmulatedDevice() override;

  const DeviceProperties& properties() const override { return properties_; }
  const Card& card() const { return options_.card; }

  void* allocate(std::size_t bytes) override;
  void release(void* memory, std::size_t bytes) override;
  void copy_in(void* device, const void* host, std::size_t bytes) override;
  void copy_out(void* host, const void* device, std::size_t bytes) override;
  void fill_zero(void* device, std::size_t bytes) override;

  void set_seed(std::uint64_t seed) { seed_ = seed; }
  // Launches are recorded from here on, and those before forgotten.
  void record_launches() { records_.emplace(); }
  const std::vector<LaunchRecord>& launches() const { return *records_; }

  struct Launch {
    std::string_view kernel;
    std::int64_t blocks = 0;
    int threads = 0;
    int most_threads = 0;  // that the kernel was compiled for
    int wave_width = 0;    // that the kernel was compiled for; 0: any
    std::size_t shared_bytes = 0;
  };
  // Every thread of every block calls body(kernel, thread, its block's local data share).
  void launch(const Launch& launch, emulated::Block::Body body, const void* kernel);

  // Refuses memory that is not this device's; `name` is the operand's.
  void check_operand(std::string_view kernel, const char* name, const void* first,
                     std::size_t bytes) const;

 private:
  void check_limits(const Launch& launch) const;

  EmulatedOptions options_;
  DeviceProperties properties_;
  std::map<const std::byte*, std::size_t> allocations_;
  std::size_t used_bytes_ = 0;
  std::uint64_t seed_ = 0;
  std::map<int, std::unique_ptr<emulated::Block>> blocks_;  // by their threads
  std::optional<std::vector<LaunchRecord>> records_;
};

}  // namespace hone
