// The part of hipBLAS that src/device/gpu calls; see hip_runtime_api.h beside it.
#pragma once

#include <hip/hip_runtime_api.h>

enum hipblasStatus_t { HIPBLAS_STATUS_SUCCESS = 0, HIPBLAS_STATUS_NOT_INITIALIZED = 1 };
enum hipblasOperation_t { HIPBLAS_OP_N = 111, HIPBLAS_OP_T = 112 };
enum hipblasAtomicsMode_t { HIPBLAS_ATOMICS_NOT_ALLOWED = 0, HIPBLAS_ATOMICS_ALLOWED = 1 };
typedef void* hipblasHandle_t;

extern "C" {
const char* hipblasStatusToString(hipblasStatus_t status);
hipblasStatus_t hipblasCreate(hipblasHandle_t* handle);
hipblasStatus_t hipblasDestroy(hipblasHandle_t handle);
hipblasStatus_t hipblasSetStream(hipblasHandle_t handle, hipStream_t stream);
hipblasStatus_t hipblasSetAtomicsMode(hipblasHandle_t handle, hipblasAtomicsMode_t mode);
hipblasStatus_t hipblasSgemm(hipblasHandle_t handle, hipblasOperation_t transpose_a,
                             hipblasOperation_t transpose_b, int m, int n, int k,
                             const float* alpha, const float* a, int a_stride, const float* b,
                             int b_stride, const float* beta, float* c, int c_stride);
}
