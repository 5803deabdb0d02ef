// What every kernel gets beside its operands, and the one way to run an operation.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "base/error.h"
#include "base/tensor_view.h"
#include "device/interface/device.h"
#include "ops/op_table.h"

namespace hone::ops {

struct Cost {
  double flops = 0.0;
  double bytes = 0.0;
};

// Receives what each operation took; implemented by whoever was asked for a profile.
class ProfileSink {
 public:
  virtual ~ProfileSink() = default;
  virtual void record(std::string_view op, const Cost& cost, double seconds) = 0;
};

struct OpContext {
  const OpTable* table = nullptr;
  Device* device = nullptr;  // whose memory the operands lie in
  int threads = 1;
  TensorView scratch;              // u8; working space for the operation that runs
  ProfileSink* profile = nullptr;  // null: nothing is measured
};

// Working space that the device wants for `op`; operands may lack data.
template <class Op>
std::size_t scratch_bytes(const OpContext& context, const Op& op) {
  const Kernel<Op>& kernel = context.table->*Op::kSlot;
  return kernel.scratch_bytes == nullptr ? 0 : kernel.scratch_bytes(context, op);
}

template <class Op>
bool supported(const OpTable& table) {
  return (table.*Op::kSlot).run != nullptr;
}

// Checks the operands, then runs the device's kernel.
template <class Op>
void run(OpContext& context, const Op& op) {
  check(op);
  const Kernel<Op>& kernel = context.table->*Op::kSlot;
  HONE_ASSERT(kernel.run != nullptr, Op::kName);
  if (context.profile == nullptr) {
    kernel.run(context, op);
    return;
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  kernel.run(context, op);
  const std::chrono::duration<double> seconds = Clock::now() - start;
  context.profile->record(Op::kName, cost(op), seconds.count());
}

}  // namespace hone::ops
