// The processor that the program runs on.
#pragma once

#include <cstddef>
#include <memory>

#include "device/interface/device.h"

namespace hone {

struct CpuOptions {
  // Threads for operations; 0 takes every processor that this process may run on.
  int threads = 0;
};

// The threads that these options mean on this machine.
int cpu_threads(const CpuOptions& options);

// Sets up OpenMP for the process (team size; waiting threads sleep after a short spin, so that a
// busy neighbour costs little) and opens the CPU as a device.
std::unique_ptr<Device> open_cpu_device(const CpuOptions& options);

// What this process holds in memory now, mapped files' pages included.
std::size_t resident_bytes();

}  // namespace hone
