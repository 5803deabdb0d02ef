// The part of HIP's runtime API that src/device/gpu calls, with HIP's names, types and numbers, for
// tests on machines without ROCm. hip_runtime.cpp does it on the CPU; `./run check gpu` compiles
// the same sources against HIP's own header, so that this one cannot drift from it.
#pragma once

#include <cstddef>

enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorInitializationError = 3,
  hipErrorInsufficientDriver = 35,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorNoBinaryForGpu = 209,
  hipErrorIllegalAddress = 700,
  hipErrorLaunchOutOfResources = 701,
  hipErrorLaunchFailure = 719,
  hipErrorUnknown = 999,
};

enum hipMemcpyKind { hipMemcpyHostToDevice = 1, hipMemcpyDeviceToHost = 2 };
enum hipMemoryAdvise { hipMemAdviseSetPreferredLocation = 3 };
constexpr unsigned hipMemAttachGlobal = 1;
constexpr unsigned hipStreamNonBlocking = 1;

typedef struct ihipStream_t* hipStream_t;

struct hipDeviceProp_t {
  char name[256];
  std::size_t sharedMemPerBlock;
  int warpSize;
  int maxThreadsPerBlock;
  int maxGridSize[3];
  int managedMemory;
  char gcnArchName[256];
};

extern "C" {
const char* hipGetErrorString(hipError_t status);
const char* hipGetErrorName(hipError_t status);
hipError_t hipGetLastError();
hipError_t hipGetDeviceCount(int* count);
hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device);
hipError_t hipSetDevice(int device);
hipError_t hipMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes);
hipError_t hipMallocManaged(void** memory, std::size_t bytes, unsigned flags);
hipError_t hipFree(void* memory);
hipError_t hipMemAdvise(const void* memory, std::size_t bytes, hipMemoryAdvise advice, int device);
hipError_t hipMemPrefetchAsync(const void* memory, std::size_t bytes, int device,
                               hipStream_t stream);
hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream);
hipError_t hipMemsetAsync(void* to, int value, std::size_t bytes, hipStream_t stream);
hipError_t hipMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                            std::size_t height, hipStream_t stream);
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags);
hipError_t hipStreamDestroy(hipStream_t stream);
hipError_t hipStreamSynchronize(hipStream_t stream);
}
