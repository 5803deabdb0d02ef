// The one owner of a run's memory: allocates exactly the rows of a plan, once, and hands out views.
#pragma once

#include <string>
#include <unordered_map>

#include "base/tensor_view.h"
#include "device/interface/device.h"
#include "memory/plan.h"

namespace hone {

class Arena {
 public:
  // Allocates every row of `plan` that lies nowhere else, in one piece, zeroed.
  Arena(Device& device, const Plan& plan);

  // The memory of the row called `name` as a tensor. The tensor must need exactly the row's bytes.
  TensorView take(const std::string& name, DType dtype, const Shape& shape) const;

  // Takes every byte for good (Device::populate), before anything is written: a run whose memory
  // does not suffice ends here and not at its largest micro-step.
  void populate();

  std::size_t bytes() const { return memory_.bytes(); }

 private:
  struct Place {
    std::size_t offset;
    std::size_t bytes;
  };
  const Place& place(const std::string& name) const;

  Device& device_;
  DeviceMemory memory_;
  std::unordered_map<std::string, Place> places_;
};

}  // namespace hone
