#include "ops/op_case.h"

#include <gtest/gtest.h>

namespace hone::tests {
namespace {

constexpr std::byte kScratchFill{0xFF};  // reads as NaN
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kGuardBytes = 256;

}  // namespace

GuardedScratch::GuardedScratch(std::size_t bytes)
    : storage_(bytes + kGuardBytes + kAlignment, kScratchFill), bytes_(bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
  first_ = (kAlignment - address % kAlignment) % kAlignment;
}

TensorView GuardedScratch::view() const {
  return TensorView(storage_.data() + first_, DType::u8, {static_cast<std::int64_t>(bytes_)});
}

bool GuardedScratch::intact() const {
  for (std::size_t i = first_ + bytes_; i < storage_.size(); ++i) {
    if (storage_[i] != kScratchFill) return false;
  }
  return true;
}

void fail_scratch(std::string_view op) {
  ADD_FAILURE() << op << " wrote beyond the scratch that it asked for";
}

}  // namespace hone::tests
