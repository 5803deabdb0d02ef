// Matrix products by ROCm's library: hipBLAS, in f32, without atomics, on the device's stream, so
// that the same product gives the same bits.
//
// Libraries have been wrong on some cards and shapes. The first time that a shape is asked for, its
// result starts as NaN and some of its sums are compared with sums in double on the CPU; a library
// that is wrong ends the run with a UserError that says so.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>

#include "device/gpu/hip.h"

namespace hone::hip {

// c[m, n] = a' b' or c += a' b', row by row; rows are `stride` elements apart, ' is an optional
// transpose.
struct LibraryMatrix {
  const float* data;
  std::int64_t stride;
  bool transposed;
};
struct LibraryProduct {
  std::int64_t m, n, k;
  LibraryMatrix a, b;
  float* c;
  std::int64_t c_stride;
  bool accumulate;
};

class ProductLibrary {
 public:
  // `device` is the device's name, for errors.
  ProductLibrary(hipStream_t stream, std::string device);
  ~ProductLibrary();
  ProductLibrary(const ProductLibrary&) = delete;
  ProductLibrary& operator=(const ProductLibrary&) = delete;

  // Given to the stream; done when that is waited for.
  void multiply(const LibraryProduct& product);

 private:
  using Form = std::tuple<std::int64_t, std::int64_t, std::int64_t, bool, bool, bool>;

  void multiply_checked(const LibraryProduct& product);
  void start(const LibraryProduct& product);

  hipStream_t stream_;
  std::string device_;
  void* handle_ = nullptr;  // hipblasHandle_t, whose header only the source includes
  std::set<Form> checked_;
};

}  // namespace hone::hip
