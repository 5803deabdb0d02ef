// Cutting an operation's working space into arrays. scratch_bytes() of an operation adds up
// array_bytes() of the very arrays that run() takes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "base/tensor_view.h"

namespace hone::kernels::cpu {

constexpr std::size_t kScratchAlignment = 64;  // a cache line, and the widest vector

template <class T>
constexpr std::size_t array_bytes(std::int64_t elements) {
  const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(T);
  return (bytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
}

class Scratch {
 public:
  explicit Scratch(const TensorView& space) : space_(space) {}

  template <class T>
  T* take(std::int64_t elements) {
    const std::size_t bytes = array_bytes<T>(elements);
    HONE_ASSERT(used_ + bytes <= space_.bytes() || bytes == 0, used_, bytes, space_.bytes());
    T* array = bytes == 0 ? nullptr : reinterpret_cast<T*>(space_.data<std::uint8_t>() + used_);
    used_ += bytes;
    return array;
  }

 private:
  TensorView space_;
  std::size_t used_ = 0;
};

}  // namespace hone::kernels::cpu
