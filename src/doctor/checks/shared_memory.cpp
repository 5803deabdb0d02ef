// /dev/shm, through which ranks on one machine exchange data.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

constexpr std::int64_t kKibPerGib = 1024 * 1024;

// From "size=65536k" of its mount; without one the kernel gives half of the memory.
std::int64_t size_kib(const Machine& machine) {
  for (const std::string& line : lines(machine.text_or_empty("/proc/self/mounts"))) {
    const std::vector<std::string> parts = words(line);
    if (parts.size() < 4 || parts[1] != "/dev/shm") continue;
    const std::size_t at = parts[3].find("size=");
    if (at == std::string::npos) break;
    char* end = nullptr;
    const std::int64_t size = std::strtoll(parts[3].c_str() + at + 5, &end, 10);
    if (*end == 'm') return size * 1024;
    if (*end == 'g') return size * kKibPerGib;
    return *end == 'k' ? size : size / 1024;
  }
  return std::strtoll(machine.table("/proc/meminfo")["MemTotal"].c_str(), nullptr, 10) / 2;
}

}  // namespace

CheckResult check_shared_memory(const System& system) {
  const std::int64_t size = size_kib(system.machine);
  const auto ranks = static_cast<std::int64_t>(system.hardware.gpus.size());
  CheckResult result = {fmt::format("{:.1f} GiB", static_cast<double>(size) / kKibPerGib), {}};
  if (size > 0 && size < ranks * kKibPerGib) {
    result.findings.push_back(
        {"D-17", fmt::format("{:.2f} GiB for {} GPUs, each of which wants 1 GiB",
                             static_cast<double>(size) / kKibPerGib, ranks)});
  }
  const std::vector<std::string> names = system.machine.names("/dev/shm");
  const auto left = std::count_if(names.begin(), names.end(), [](const std::string& name) {
    return name.rfind("nccl-", 0) == 0;
  });
  if (left > 0 && system.machine.names("/sys/class/kfd/kfd/proc").empty()) {
    result.findings.push_back(
        {"NET-04", fmt::format("{} files /dev/shm/nccl-*, and no process uses a GPU", left)});
  }
  return result;
}

}  // namespace hone::doctor
