// From an operation to launches: operands for kernels, index arrays and working space on the
// device, and the choice of a kernel by the card's wave width.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/error.h"
#include "base/tensor_view.h"
#include "kernels/gpu/gpu.h"

namespace hone::kernels::gpu {

// A tensor as a kernel sees it: rows that are `stride` elements apart. One of rank 1 is a column.
// Kernels have many operands, and a wave about a hundred registers for what all of its threads
// share: the stride has 32 bits.
template <class T>
struct Operand {
  T* data = nullptr;
  std::int32_t stride = 1;
  Bounds bounds = {};

  constexpr bool present() const { return data != nullptr; }
};

// What one kernel wrote, for the next to read.
template <class T>
Operand<const T> read_only(const Operand<T>& operand) {
  return {operand.data, operand.stride, operand.bounds};
}

template <class T>
GPU_DEVICE T load(const Thread& t, const Operand<const T>& from, std::int64_t row,
                  std::int64_t column = 0) {
  t.on_load(from.bounds, row, column, sizeof(T));
  return from.data[row * from.stride + column];
}

template <class T>
GPU_DEVICE T load(const Thread& t, const Operand<T>& from, std::int64_t row,
                  std::int64_t column = 0) {
  t.on_load(from.bounds, row, column, sizeof(T));
  return from.data[row * from.stride + column];
}

template <class T>
GPU_DEVICE void store(const Thread& t, const Operand<T>& to, std::int64_t row, std::int64_t column,
                      T value) {
  t.on_store(to.bounds, row, column, sizeof(T));
  to.data[row * to.stride + column] = value;
}

// kCount elements of a row that lie together, as 32-bit words: one access on a card.
template <int kCount>
struct Words {
  std::uint32_t word[kCount / 2];
};

template <int kCount>
GPU_DEVICE Words<kCount> load_together(const Thread& t, const Operand<const BFloat16>& from,
                                       std::int64_t row, std::int64_t column) {
  t.on_load(from.bounds, row, column, kCount * sizeof(BFloat16));
  t.on_load(from.bounds, row, column + kCount - 1, 0);
  Words<kCount> words;
  __builtin_memcpy(&words, from.data + row * from.stride + column, sizeof words);
  return words;
}

// Bytes of an array in an operation's working space.
template <class T>
constexpr std::size_t space_bytes(std::int64_t elements) {
  constexpr std::size_t kAlignment = 256;
  const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(T);
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

constexpr std::int64_t parts_of(std::int64_t items, std::int64_t part) {
  return (items + part - 1) / part;
}

// A number that a kernel keeps in 32 bits.
inline std::int32_t narrow_count(std::int64_t count) {
  HONE_ASSERT(count >= 0 && count <= std::numeric_limits<std::int32_t>::max(), count);
  return static_cast<std::int32_t>(count);
}

class Launcher {
 public:
  // `op` names the operation in errors.
  Launcher(ops::OpContext& context, std::string_view op)
      : context_(context), op_(op), card_(card_of(context)) {}

  const Card& card() const { return card_; }

  // Whole waves for up to `wanted` threads, at most as many as the card's blocks usually have.
  int threads_for(std::int64_t wanted) const {
    const std::int64_t waves = parts_of(std::max<std::int64_t>(wanted, 1), card_.wave_width);
    return static_cast<int>(std::min<std::int64_t>(waves * card_.wave_width, card_.block_threads));
  }

  template <class T>
  Operand<const T> reads(const ConstTensorView& view, const char* name) const {
    if (!view.present()) return {nullptr, 1, bounds(0, 0, name)};
    check(view, name);
    return {view.data<T>(), narrow_count(view.row_stride()),
            bounds(view.rows(), view.columns(), name)};
  }

  template <class T>
  Operand<T> writes(const TensorView& view, const char* name) const {
    if (!view.present()) return {nullptr, 1, bounds(0, 0, name)};
    check(view, name);
    return {view.data<T>(), narrow_count(view.row_stride()),
            bounds(view.rows(), view.columns(), name)};
  }

  // The next [rows, columns] of the working space.
  template <class T>
  Operand<T> space(std::int64_t rows, std::int64_t columns, const char* name) {
    const std::size_t bytes = space_bytes<T>(rows * columns);
    HONE_ASSERT(bytes == 0 || used_ + bytes <= context_.scratch.bytes(), op_, name, used_, bytes,
                context_.scratch.bytes());
    T* data =
        bytes == 0 ? nullptr : reinterpret_cast<T*>(context_.scratch.data<std::uint8_t>() + used_);
    used_ += bytes;
    return {data, narrow_count(columns), bounds(rows, columns, name)};
  }

  // An array of the host, copied to the next of the working space.
  template <class T>
  Operand<const T> copied(std::span<const T> array, const char* name) {
    const auto count = static_cast<std::int64_t>(array.size());
    const Operand<T> place = space<T>(count, 1, name);
    context_.device->copy_in(place.data, array.data(), array.size_bytes());
    return read_only(place);
  }

  // No blocks, no launch.
  template <class Kernel>
  void launch(std::int64_t blocks, int threads, const Kernel& kernel) const {
    if (blocks > 0) gpu::launch(context_, blocks, threads, kernel);
  }

  // make.template operator()<kWave>() is the kernel for waves of that width.
  template <class Make>
  void launch_by_wave(std::int64_t blocks, int threads, const Make& make) const {
    if (card_.wave_width == 64) {
      launch(blocks, threads, make.template operator()<64>());
    } else {
      launch(blocks, threads, make.template operator()<32>());
    }
  }

 private:
  void check(const ConstTensorView& view, const char* name) const {
    const std::int64_t reach = (view.rows() - 1) * view.row_stride() + view.columns();
    if (view.elements() == 0) return;
    check_operand(context_, op_, name, view.raw(),
                  static_cast<std::size_t>(reach) * size_bytes(view.dtype()));
  }

  ops::OpContext& context_;
  std::string_view op_;
  const Card& card_;
  std::size_t used_ = 0;
};

}  // namespace hone::kernels::gpu
