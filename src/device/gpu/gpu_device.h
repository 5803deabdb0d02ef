// A GPU under ROCm.
//
// Its memory is managed memory: the CPU's code reads and writes it as well, which several parts of
// a step do (losses, the sentinel, checkpoints). All work goes through one stream, in order;
// settle() waits for it, and every operation ends with that, so that whoever reads next reads what
// was computed. docs/decisions/gpu-device.md has the reasons, and what they cost.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "device/gpu/cards.h"
#include "device/gpu/product_library.h"
#include "device/gpu/stream.h"
#include "device/interface/device.h"

namespace hone::hip {

class GpuDevice final : public Device {
 public:
  // The index-th of seen_cards(), beside `threads` of the CPU. Throws UserError for one that is not
  // there or cannot be used.
  GpuDevice(int index, int threads);

  const DeviceProperties& properties() const override { return properties_; }
  const Card& card() const { return card_; }
  hipStream_t stream() const { return stream_->handle(); }
  ProductLibrary& products() { return *products_; }

  void* allocate(std::size_t bytes) override;
  void release(void* memory, std::size_t bytes) override;
  void populate(void* memory, std::size_t bytes) override;
  void copy_in(void* device, const void* host, std::size_t bytes) override;
  void copy_out(void* host, const void* device, std::size_t bytes) override;
  void fill_zero(void* device, std::size_t bytes) override;

  // Waits until everything that was given to the stream is done. An error of a kernel shows here:
  // `op` is what ran last.
  void settle(std::string_view op);

 private:
  std::string asked(std::string_view what) const;

  int index_;
  Card card_;
  DeviceProperties properties_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<ProductLibrary> products_;
};

}  // namespace hone::hip
