#include <hipblas/hipblas.h>

#include <cstdint>

#include "stand_in_rocm/stand_in.h"

using hone::stand_in::machine;

namespace {

struct Handle {
  hipStream_t stream = nullptr;
};

// By columns, as Fortran counts.
struct Columns {
  const float* data;
  int stride;
  bool transposed;

  double at(int row, int column) const {
    const std::int64_t place =
        transposed ? std::int64_t{row} * stride + column : std::int64_t{column} * stride + row;
    return static_cast<double>(data[place]);
  }
};

}  // namespace

extern "C" {

const char* hipblasStatusToString(hipblasStatus_t status) {
  return status == HIPBLAS_STATUS_SUCCESS ? "HIPBLAS_STATUS_SUCCESS"
                                          : "HIPBLAS_STATUS_NOT_INITIALIZED";
}

hipblasStatus_t hipblasCreate(hipblasHandle_t* handle) {
  if (!machine().blas_starts) return HIPBLAS_STATUS_NOT_INITIALIZED;
  *handle = new Handle;
  ++machine().handles;
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t hipblasDestroy(hipblasHandle_t handle) {
  if (handle == nullptr) return HIPBLAS_STATUS_NOT_INITIALIZED;
  delete static_cast<Handle*>(handle);
  --machine().handles;
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t hipblasSetStream(hipblasHandle_t handle, hipStream_t stream) {
  static_cast<Handle*>(handle)->stream = stream;
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t hipblasSetAtomicsMode(hipblasHandle_t, hipblasAtomicsMode_t mode) {
  machine().atomics_allowed = mode == HIPBLAS_ATOMICS_ALLOWED;
  return HIPBLAS_STATUS_SUCCESS;
}

// Strides as the library demands them: at least a column.
hipblasStatus_t hipblasSgemm(hipblasHandle_t handle, hipblasOperation_t transpose_a,
                             hipblasOperation_t transpose_b, int m, int n, int k,
                             const float* alpha, const float* a, int a_stride, const float* b,
                             int b_stride, const float* beta, float* c, int c_stride) {
  const Columns left = {a, a_stride, transpose_a == HIPBLAS_OP_T};
  const Columns right = {b, b_stride, transpose_b == HIPBLAS_OP_T};
  if (a_stride < (left.transposed ? k : m) || b_stride < (right.transposed ? n : k) ||
      c_stride < m) {
    return HIPBLAS_STATUS_NOT_INITIALIZED;
  }
  const float scale = *alpha, onto = *beta;
  hone::stand_in::enqueue(static_cast<Handle*>(handle)->stream, [=] {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        double sum = 0.0;
        for (int x = 0; x < k; ++x) sum += left.at(i, x) * right.at(x, j);
        float& place = c[std::int64_t{j} * c_stride + i];
        const float before = onto == 0.0f ? 0.0f : onto * place;  // what is there may be NaN
        place = before + scale * static_cast<float>(sum);
      }
    }
    c[std::int64_t{n - 1} * c_stride + m - 1] += machine().product_error;
  });
  return HIPBLAS_STATUS_SUCCESS;
}

}  // extern "C"
