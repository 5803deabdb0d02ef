// What a kernel sees of the machine, on the emulated device: who it is, waiting, exchanging words
// within its wave, and the checks behind loads and stores.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "device/emulated/block.h"

namespace hone::emulated {

// How far an operand reaches, and what it is called in errors.
struct Bounds {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  const char* name = "";
};

class Thread {
 public:
  Thread(Block& block, int index) : block_(block), index_(index) {}

  int index() const { return index_; }
  int threads() const { return block_.facts().threads; }
  std::int64_t block() const { return block_.index(); }
  std::int64_t blocks() const { return block_.facts().blocks; }

  // Every thread of the block must come here.
  void barrier() const { block_.wait(index_, Wait::barrier); }

  // The value of the thread whose place in the wave differs by the bits of `mask`. Every thread of
  // the wave must come here.
  template <int kWave, class T>
  T exchange_xor(T value, int mask) const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
    if (kWave > block_.facts().wave_width || mask < 0 || mask >= kWave)
      refuse_exchange(kWave, mask);
    const int set = set_;
    set_ = 1 - set_;
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof value);
    block_.word(set, index_) = word;
    block_.wait(index_, Wait::exchange);
    const int first = index_ / kWave * kWave;
    word = block_.word(set, first + ((index_ - first) ^ mask));
    std::memcpy(&value, &word, sizeof value);
    return value;
  }

  // D += A B on the wave's matrix unit: `inputs` bf16 of A and of B, and `outputs` f32 of D, are
  // this thread's registers (matrix_unit.h). Every thread of the wave must come here.
  void multiply_matrices(MatrixUnit unit, const std::uint16_t* a, const std::uint16_t* b,
                         int inputs, float* d, int outputs) const;

  void on_load(const Bounds& bounds, std::int64_t row, std::int64_t column,
               std::size_t bytes) const {
    if (outside(bounds, row, column)) refuse("loads", bounds, row, column);
    block_.facts().traffic.loaded_bytes += static_cast<std::int64_t>(bytes);
  }
  void on_store(const Bounds& bounds, std::int64_t row, std::int64_t column,
                std::size_t bytes) const {
    if (outside(bounds, row, column)) refuse("stores", bounds, row, column);
    block_.facts().traffic.stored_bytes += static_cast<std::int64_t>(bytes);
  }

 private:
  static bool outside(const Bounds& bounds, std::int64_t row, std::int64_t column) {
    return static_cast<std::uint64_t>(row) >= static_cast<std::uint64_t>(bounds.rows) ||
           static_cast<std::uint64_t>(column) >= static_cast<std::uint64_t>(bounds.columns);
  }
  [[noreturn]] void refuse(const char* what, const Bounds& bounds, std::int64_t row,
                           std::int64_t column) const;

  [[noreturn]] void refuse_exchange(int wave, int mask) const;

  Block& block_;
  int index_;
  mutable int set_ = 0;
};

// An index into an array of the local data share. Throws InternalError.
void check_shared(std::int64_t index, std::int64_t count);

}  // namespace hone::emulated
