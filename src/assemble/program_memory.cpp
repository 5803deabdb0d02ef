#include "assemble/program_memory.h"

#include "device/cpu/cpu_device.h"

namespace hone::assemble {

std::size_t program_bytes() {
  constexpr std::size_t kLibraryBytes = std::size_t{12}
                                        << 20;  // oneDNN's generated code and buffers
  return resident_bytes() + kLibraryBytes;
}

std::size_t usable_bytes(const config::Settings& settings, const Device& device) {
  if (settings.machine.memory_limit_bytes) {
    return static_cast<std::size_t>(*settings.machine.memory_limit_bytes);
  }
  return device.properties().memory_bytes + resident_bytes();
}

const char* limit_source(const config::Settings& settings) {
  return settings.machine.memory_limit_bytes ? "memory_limit" : "memory of this machine";
}

}  // namespace hone::assemble
