// The one header that names the machine under the GPU kernels: HIP's compiler (-x hip), or the
// emulated device, on which the same sources run on the CPU. Nothing else in this folder has a word
// of either.
//
// A kernel is a struct: its operands are members, its local data share is the nested struct Shared,
// and operator()(const Thread&, Shared&) const is what one thread does:
//   Thread       index, threads (of the block), block, blocks; barrier; exchange_xor; on_load and
//                on_store, which check and count on the emulated device and are nothing on a card
//   SharedArray  the only thing that Shared may hold: starts undefined
// kName names it in errors and records. Optional: kWave, the wave width that it was compiled for,
// and kMatrixUnit, the matrix instructions; kMostThreads, where a block may have more than 256.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/half.h"
#include "device/interface/card.h"
#include "ops/op_context.h"

#if defined(__HIP__)
#include <hip/hip_runtime.h>
#define GPU_DEVICE __device__ __forceinline__
// A loop that is not to be unrolled: its body would take registers that are needed elsewhere.
#define GPU_KEEP_LOOP _Pragma("clang loop unroll(disable)")
#else
#include "device/emulated/emulated_device.h"
#include "device/emulated/thread.h"
#define GPU_DEVICE inline
#define GPU_KEEP_LOOP
#endif

namespace hone::kernels::gpu {

template <class Kernel>
constexpr int most_threads() {
  if constexpr (requires { Kernel::kMostThreads; }) {
    return Kernel::kMostThreads;
  } else {
    return 256;
  }
}

template <class Kernel>
constexpr int wave_width() {
  if constexpr (requires { Kernel::kWave; }) {
    return Kernel::kWave;
  } else {
    return 0;
  }
}

template <class Kernel>
constexpr MatrixUnit matrix_unit() {
  if constexpr (requires { Kernel::kMatrixUnit; }) {
    return Kernel::kMatrixUnit;
  } else {
    return MatrixUnit::none;
  }
}

// The card behind a context's device.
const Card& card_of(const ops::OpContext& context);
// On the emulated device: refuses an operand that is not in its memory.
void check_operand(const ops::OpContext& context, std::string_view op, const char* name,
                   const void* first, std::size_t bytes);

#if defined(__HIP__)

struct Bounds {};

inline Bounds bounds(std::int64_t, std::int64_t, const char*) {
  return {};
}

// The card converts f16 itself, to nearest even.
GPU_DEVICE float widened_half(Float16 value) {
  return static_cast<float>(__builtin_bit_cast(_Float16, value.bits));
}
GPU_DEVICE Float16 nearest_half(float value) {
  return {__builtin_bit_cast(std::uint16_t, static_cast<_Float16>(value))};
}

class Thread {
 public:
  GPU_DEVICE int index() const { return static_cast<int>(threadIdx.x); }
  GPU_DEVICE int threads() const { return static_cast<int>(blockDim.x); }
  GPU_DEVICE std::int64_t block() const { return blockIdx.x; }
  GPU_DEVICE std::int64_t blocks() const { return gridDim.x; }
  GPU_DEVICE void barrier() const { __syncthreads(); }
  template <int kWave, class T>
  GPU_DEVICE T exchange_xor(T value, int mask) const {
    return __shfl_xor(value, mask, kWave);
  }
  GPU_DEVICE void on_load(const Bounds&, std::int64_t, std::int64_t, std::size_t) const {}
  GPU_DEVICE void on_store(const Bounds&, std::int64_t, std::int64_t, std::size_t) const {}
};

template <class T, int kCount>
class SharedArray {
 public:
  GPU_DEVICE T& operator[](int index) { return elements_[index]; }

 private:
  T elements_[kCount];
};

#if defined(__GFX9__)
constexpr int kDeviceWave = 64;
#else
constexpr int kDeviceWave = 32;
#endif

#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
constexpr MatrixUnit kDeviceMatrixUnit = MatrixUnit::mfma;
#elif defined(__GFX11__)
constexpr MatrixUnit kDeviceMatrixUnit = MatrixUnit::wmma11;
#elif defined(__GFX12__)
constexpr MatrixUnit kDeviceMatrixUnit = MatrixUnit::wmma12;
#else
constexpr MatrixUnit kDeviceMatrixUnit = MatrixUnit::none;
#endif

// D += A B of one wave; a, b and d are a lane's registers (matrix_unit.h).
template <class Unit, class Inputs, int kOut>
GPU_DEVICE void multiply_matrices(const Thread&, const Inputs& a, const Inputs& b,
                                  float (&d)[kOut]) {
#if defined(__HIP_DEVICE_COMPILE__)
  typedef short In __attribute__((ext_vector_type(Unit::kInputs)));
  typedef float Out __attribute__((ext_vector_type(kOut)));
  const In left = __builtin_bit_cast(In, a), right = __builtin_bit_cast(In, b);
  Out sum;
  for (int g = 0; g < kOut; ++g) sum[g] = d[g];
#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
  sum = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(left, right, sum, 0, 0, 0);
#elif defined(__GFX11__)
  sum = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(left, right, sum);
#elif defined(__GFX12__)
  sum = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(left, right, sum);
#endif
  for (int g = 0; g < kOut; ++g) d[g] = sum[g];
#endif
}

template <class Kernel>
__global__ void __launch_bounds__(most_threads<Kernel>()) run_kernel(Kernel kernel) {
  // A kernel for another kind of card is compiled to nothing.
  if constexpr ((wave_width<Kernel>() == 0 || wave_width<Kernel>() == kDeviceWave) &&
                (matrix_unit<Kernel>() == MatrixUnit::none ||
                 matrix_unit<Kernel>() == kDeviceMatrixUnit)) {
    __shared__ typename Kernel::Shared shared;
    kernel(Thread(), shared);
  }
}

// The stream on which the context's device does its operations.
hipStream_t stream_of(const ops::OpContext& context);

template <class Kernel>
void launch(ops::OpContext& context, std::int64_t blocks, int threads, const Kernel& kernel) {
  run_kernel<Kernel><<<dim3(static_cast<unsigned>(blocks)), dim3(static_cast<unsigned>(threads)), 0,
                       stream_of(context)>>>(kernel);
  const hipError_t status = hipGetLastError();
  HONE_ASSERT(status == hipSuccess, Kernel::kName, hipGetErrorString(status), blocks, threads);
}

#else

using emulated::Bounds;
using emulated::Thread;

inline Bounds bounds(std::int64_t rows, std::int64_t columns, const char* name) {
  return {rows, columns, name};
}

inline float widened_half(Float16 value) {
  return to_float(value);
}
inline Float16 nearest_half(float value) {
  return to_float16(value);
}

template <class T, int kCount>
class SharedArray {
 public:
  T& operator[](int index) {
    emulated::check_shared(index, kCount);
    return elements_[index];
  }

 private:
  T elements_[kCount];
};

template <class Unit, class Inputs, int kOut>
void multiply_matrices(const Thread& t, const Inputs& a, const Inputs& b, float (&d)[kOut]) {
  std::uint16_t left[Unit::kInputs], right[Unit::kInputs];
  static_assert(sizeof a == sizeof left);
  __builtin_memcpy(left, &a, sizeof left);
  __builtin_memcpy(right, &b, sizeof right);
  t.multiply_matrices(Unit::kUnit, left, right, Unit::kInputs, d, kOut);
}

void launch_emulated(ops::OpContext& context, const EmulatedDevice::Launch& launch,
                     emulated::Block::Body body, const void* kernel);

template <class Kernel>
void launch(ops::OpContext& context, std::int64_t blocks, int threads, const Kernel& kernel) {
  const auto body = [](const void* one, const Thread& thread, void* shared) {
    (*static_cast<const Kernel*>(one))(thread, *static_cast<typename Kernel::Shared*>(shared));
  };
  launch_emulated(context,
                  {Kernel::kName, blocks, threads, most_threads<Kernel>(), wave_width<Kernel>(),
                   sizeof(typename Kernel::Shared)},
                  body, &kernel);
}

#endif

}  // namespace hone::kernels::gpu
