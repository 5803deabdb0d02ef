#include <hip/hip_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <sstream>
#include <utility>

#include "stand_in_rocm/stand_in.h"

struct ihipStream_t {
  std::deque<std::function<void()>> work;
};

namespace hone::stand_in {
namespace {

Machine from_environment() {
  Machine machine;
  const char* text = std::getenv("STAND_IN_ROCM");
  if (text == nullptr) return machine;
  machine.cards.clear();
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      machine.cards.push_back({.name = "Played " + word,
                               .architecture = word,
                               .wave_width = word.starts_with("gfx9") ? 64 : 32});
    } else {
      machine.failures[word.substr(0, equals)] =
          static_cast<hipError_t>(std::stoi(word.substr(equals + 1)));
    }
  }
  return machine;
}

Machine the_machine = from_environment();
std::map<const char*, std::size_t> allocations;

// The failure that a test wants of this call.
hipError_t wanted(const char* call) {
  const auto found = the_machine.failures.find(call);
  return found == the_machine.failures.end() ? hipSuccess : found->second;
}

bool is_a_card(int device) {
  return device >= 0 && static_cast<std::size_t>(device) < the_machine.cards.size();
}

std::size_t memory_bytes() {
  return the_machine.cards.empty() ? 0 : the_machine.cards.front().memory_bytes;
}

void copy_text(char (&to)[256], const std::string& from) {
  const std::size_t length = from.copy(to, sizeof to - 1);
  to[length] = '\0';
}

struct Named {
  hipError_t status;
  const char* name;
  const char* text;
};

// HIP's own words.
constexpr Named kNames[] = {
    {hipSuccess, "hipSuccess", "no error"},
    {hipErrorInvalidValue, "hipErrorInvalidValue", "invalid argument"},
    {hipErrorOutOfMemory, "hipErrorOutOfMemory", "out of memory"},
    {hipErrorInitializationError, "hipErrorNotInitialized", "initialization error"},
    {hipErrorInsufficientDriver, "hipErrorInsufficientDriver",
     "driver version is insufficient for runtime version"},
    {hipErrorNoDevice, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {hipErrorInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    {hipErrorIllegalAddress, "hipErrorIllegalAddress", "an illegal memory access was encountered"},
    {hipErrorLaunchFailure, "hipErrorLaunchFailure", "unspecified launch failure"},
};

const Named& named(hipError_t status) {
  static constexpr Named kUnknown = {hipErrorUnknown, "hipErrorUnknown", "unknown error"};
  for (const Named& one : kNames) {
    if (one.status == status) return one;
  }
  return kUnknown;
}

}  // namespace

Machine& machine() {
  return the_machine;
}

void reset(Machine fresh) {
  the_machine = std::move(fresh);
}

bool is_of_a_card(const void* first, std::size_t bytes) {
  const auto* start = static_cast<const char*>(first);
  auto after = allocations.upper_bound(start);
  if (after == allocations.begin()) return false;
  const auto& [memory, size] = *std::prev(after);
  return start + bytes <= memory + size;
}

void enqueue(hipStream_t stream, std::function<void()> work) {
  stream->work.push_back(std::move(work));
}

}  // namespace hone::stand_in

using hone::stand_in::allocations;
using hone::stand_in::the_machine;
using hone::stand_in::wanted;

extern "C" {

const char* hipGetErrorString(hipError_t status) {
  return hone::stand_in::named(status).text;
}
const char* hipGetErrorName(hipError_t status) {
  return hone::stand_in::named(status).name;
}
hipError_t hipGetLastError() {
  return hipSuccess;
}

hipError_t hipGetDeviceCount(int* count) {
  *count = static_cast<int>(the_machine.cards.size());
  if (wanted("hipGetDeviceCount") != hipSuccess) return wanted("hipGetDeviceCount");
  return *count == 0 ? hipErrorNoDevice : hipSuccess;
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  if (!hone::stand_in::is_a_card(device)) return hipErrorInvalidDevice;
  const hone::stand_in::PlayedCard& card = the_machine.cards[static_cast<std::size_t>(device)];
  *properties = {};
  hone::stand_in::copy_text(properties->name, card.name);
  hone::stand_in::copy_text(properties->gcnArchName, card.architecture);
  properties->sharedMemPerBlock = 65536;
  properties->warpSize = card.wave_width;
  properties->maxThreadsPerBlock = 1024;
  properties->maxGridSize[0] = 2147483647;
  properties->managedMemory = card.managed_memory ? 1 : 0;
  return wanted("hipGetDeviceProperties");
}

hipError_t hipSetDevice(int device) {
  return hone::stand_in::is_a_card(device) ? wanted("hipSetDevice") : hipErrorInvalidDevice;
}

hipError_t hipMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes) {
  *all_bytes = hone::stand_in::memory_bytes();
  *free_bytes = *all_bytes - the_machine.used_bytes;
  return wanted("hipMemGetInfo");
}

hipError_t hipMallocManaged(void** memory, std::size_t bytes, unsigned) {
  if (wanted("hipMallocManaged") != hipSuccess) return wanted("hipMallocManaged");
  if (bytes > hone::stand_in::memory_bytes() - the_machine.used_bytes) return hipErrorOutOfMemory;
  const std::size_t pages = (bytes + 4095) / 4096 * 4096;
  *memory = std::aligned_alloc(4096, pages);
  std::memset(*memory, 0xFF, pages);  // no card promises zeros
  allocations[static_cast<const char*>(*memory)] = bytes;
  the_machine.used_bytes += bytes;
  return hipSuccess;
}

hipError_t hipFree(void* memory) {
  const auto found = allocations.find(static_cast<const char*>(memory));
  if (found == allocations.end()) return hipErrorInvalidValue;
  the_machine.used_bytes -= found->second;
  allocations.erase(found);
  std::free(memory);
  return hipSuccess;
}

hipError_t hipMemAdvise(const void*, std::size_t, hipMemoryAdvise, int) {
  return wanted("hipMemAdvise");
}

hipError_t hipMemPrefetchAsync(const void*, std::size_t, int, hipStream_t) {
  return wanted("hipMemPrefetchAsync");
}

hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind,
                          hipStream_t stream) {
  hone::stand_in::enqueue(stream, [=] { std::memcpy(to, from, bytes); });
  return wanted("hipMemcpyAsync");
}

hipError_t hipMemsetAsync(void* to, int value, std::size_t bytes, hipStream_t stream) {
  hone::stand_in::enqueue(stream, [=] { std::memset(to, value, bytes); });
  return wanted("hipMemsetAsync");
}

hipError_t hipMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                            std::size_t height, hipStream_t stream) {
  hone::stand_in::enqueue(stream, [=] {
    for (std::size_t row = 0; row < height; ++row) {
      std::memset(static_cast<char*>(to) + row * pitch, value, width);
    }
  });
  return wanted("hipMemset2DAsync");
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned) {
  *stream = new ihipStream_t;
  ++the_machine.streams;
  return wanted("hipStreamCreateWithFlags");
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  delete stream;
  --the_machine.streams;
  return hipSuccess;
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  while (!stream->work.empty()) {
    const std::function<void()> work = std::move(stream->work.front());
    stream->work.pop_front();
    work();
  }
  return wanted("hipStreamSynchronize");
}

}  // extern "C"
