// What the rest of hone sees of a processor: its memory, and its properties.
//
// Everything that runs on a device is an operation (ops/), found in the device's op table; this
// interface only owns memory and moves bytes. Concrete devices are named in assemble/ and tests
// alone.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace hone {

enum class DeviceKind { cpu, gpu, emulated };

struct DeviceProperties {
  DeviceKind kind = DeviceKind::cpu;
  std::string name;  // as people know it: "AMD EPYC 9754", "AMD Instinct MI300X"
  std::size_t memory_bytes =
      0;            // what a run may use at most: free memory when the device was opened
  int threads = 1;  // of the CPU that a run may use: for operations, or beside a GPU for the rest
};

class Device {
 public:
  virtual ~Device() = default;

  virtual const DeviceProperties& properties() const = 0;

  // Memory that starts on a 4096-byte boundary and reads as zero. Throws UserError, naming the size
  // and what is free, when the device has not that much.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory, std::size_t bytes) = 0;

  // Makes sure that memory which nothing has written yet is really there, not only promised, so
  // that what a neighbour takes later cannot end a run. It still reads as zero. For devices that
  // promise nothing, allocate() has done all.
  virtual void populate(void* /*memory*/, std::size_t /*bytes*/) {}

  // Copies between host memory and this device's; done when they return.
  virtual void copy_in(void* device, const void* host, std::size_t bytes) = 0;
  virtual void copy_out(void* host, const void* device, std::size_t bytes) = 0;
  virtual void fill_zero(void* device, std::size_t bytes) = 0;
};

// Memory of a device, given back when the owner goes.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(Device& device, std::size_t bytes)
      : device_(&device), data_(device.allocate(bytes)), bytes_(bytes) {}
  DeviceMemory(DeviceMemory&& other) noexcept { swap(other); }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceMemory() {
    if (data_ != nullptr) device_->release(data_, bytes_);
  }

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void swap(DeviceMemory& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }

  Device* device_ = nullptr;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace hone
