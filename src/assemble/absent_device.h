// The device of a run that is only planned: it has a kind, and no memory to give.
#pragma once

#include <memory>

#include "assemble/machine.h"
#include "base/error.h"
#include "kernels/reference/reference_table.h"

namespace hone::assemble {

class AbsentDevice final : public Device {
 public:
  explicit AbsentDevice(DeviceKind kind) { properties_.kind = kind; }

  const DeviceProperties& properties() const override { return properties_; }
  void* allocate(std::size_t bytes) override {
    HONE_ASSERT(false, bytes);
    return nullptr;
  }
  void release(void*, std::size_t) override {}
  void copy_in(void*, const void*, std::size_t bytes) override { HONE_ASSERT(false, bytes); }
  void copy_out(void*, const void*, std::size_t bytes) override { HONE_ASSERT(false, bytes); }
  void fill_zero(void*, std::size_t bytes) override { HONE_ASSERT(false, bytes); }

 private:
  DeviceProperties properties_;
};

// Asked for working space only, the reference kernels stand for any.
inline Machine absent_machine(DeviceKind kind) {
  return {std::make_unique<AbsentDevice>(kind), &kernels::reference_table()};
}

}  // namespace hone::assemble
