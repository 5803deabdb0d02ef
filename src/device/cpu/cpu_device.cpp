#include "device/cpu/cpu_device.h"

#include <omp.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "base/error.h"

// libomp's own entry point (LLVM OpenMP runtime, kmp.h): milliseconds that a waiting thread spins
// before it sleeps. Declared here because Debian's g++ finds libgomp's omp.h first.
extern "C" void kmp_set_blocktime(int milliseconds);

namespace hone {
namespace {

// Long enough to stay awake between two operations of a step, short enough that a neighbour on the
// same core gets it when hone waits.
constexpr int kSpinMilliseconds = 1;

// Pages of 2 MiB save most of the address-translation misses of weights and activations.
constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
constexpr std::size_t kPageBytes = 4096;
constexpr std::int64_t kPagesAtOnce = kHugePageBytes / kPageBytes;

int usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

std::string field_of(const char* path, const std::string& key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
    return start == std::string::npos ? std::string() : line.substr(start);
  }
  return {};
}

// Memory that the kernel could give without swapping.
std::size_t available_bytes() {
  const std::string kib = field_of("/proc/meminfo", "MemAvailable");
  if (!kib.empty()) return static_cast<std::size_t>(std::stoull(kib)) << 10;
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(const CpuOptions& options) {
    properties_.kind = DeviceKind::cpu;
    properties_.name = field_of("/proc/cpuinfo", "model name");
    if (properties_.name.empty()) properties_.name = "CPU";
    properties_.memory_bytes = available_bytes();
    properties_.threads = cpu_threads(options);
    omp_set_dynamic(0);
    omp_set_num_threads(properties_.threads);
    kmp_set_blocktime(kSpinMilliseconds);
  }

  const DeviceProperties& properties() const override { return properties_; }

  void* allocate(std::size_t bytes) override {
    if (bytes == 0) return nullptr;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      throw UserError(
          {"memory: " + std::to_string(bytes) + " bytes on the CPU",
           "the system refused (" + std::string(std::strerror(errno)) + "), " +
               std::to_string(available_bytes()) + " bytes are available",
           "set memory_limit, a smaller cutoff_len or micro_step_tokens, or free memory"});
    }
    if (bytes >= kHugePageBytes) madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
  }

  void release(void* memory, std::size_t bytes) override { munmap(memory, bytes); }

  // All threads at once: the system zeroes pages on the processor that asks.
  void populate(void* memory, std::size_t bytes) override {
    auto* bytes_of = static_cast<volatile char*>(memory);
    const auto pages = static_cast<std::int64_t>((bytes + kPageBytes - 1) / kPageBytes);
#pragma omp parallel for num_threads(properties_.threads) schedule(dynamic, kPagesAtOnce)
    for (std::int64_t page = 0; page < pages; ++page) {
      bytes_of[static_cast<std::size_t>(page) * kPageBytes] = 0;
    }
  }

  void copy_in(void* device, const void* host, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(device, host, bytes);
  }
  void copy_out(void* host, const void* device, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(host, device, bytes);
  }
  void fill_zero(void* device, std::size_t bytes) override {
    if (bytes > 0) std::memset(device, 0, bytes);
  }

 private:
  DeviceProperties properties_;
};

}  // namespace

int cpu_threads(const CpuOptions& options) {
  return options.threads > 0 ? options.threads : usable_processors();
}

std::size_t resident_bytes() {
  const std::string kib = field_of("/proc/self/status", "VmRSS");
  return kib.empty() ? 0 : static_cast<std::size_t>(std::stoull(kib)) << 10;
}

std::unique_ptr<Device> open_cpu_device(const CpuOptions& options) {
  return std::make_unique<CpuDevice>(options);
}

}  // namespace hone
