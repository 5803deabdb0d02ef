// A device that remembers what was asked of it.
#pragma once

#include <cstdlib>
#include <cstring>
#include <vector>

#include "device/interface/device.h"
#include "memory/plan.h"

namespace hone::tests {

class CountingDevice final : public Device {
 public:
  const DeviceProperties& properties() const override { return properties_; }
  void* allocate(std::size_t bytes) override {
    allocations.push_back(bytes);
    // A page more than asked for, so that nothing is allocated only when nothing was asked for.
    void* memory =
        std::aligned_alloc(Plan::kAlignmentBytes, aligned_bytes(bytes) + Plan::kAlignmentBytes);
    std::memset(memory, 0, bytes);
    return memory;
  }
  void release(void* memory, std::size_t bytes) override {
    releases.push_back(bytes);
    std::free(memory);
  }
  void copy_in(void* device, const void* host, std::size_t bytes) override {
    std::memcpy(device, host, bytes);
  }
  void copy_out(void* host, const void* device, std::size_t bytes) override {
    std::memcpy(host, device, bytes);
  }
  void fill_zero(void* device, std::size_t bytes) override { std::memset(device, 0, bytes); }

  std::vector<std::size_t> allocations, releases;

 private:
  DeviceProperties properties_;
};

}  // namespace hone::tests
