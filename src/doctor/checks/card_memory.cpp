// The cards' memory: what is seen of it, what is taken, and what APUs may use.
#include <algorithm>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

constexpr double kGib = 1024.0 * 1024 * 1024;
constexpr std::int64_t kPageBytes = 4096;
// What a driver and a desktop may hold without anybody computing.
constexpr std::int64_t kUsualUseBytes = std::int64_t{2} << 30;

double gib(std::int64_t bytes) {
  return static_cast<double>(bytes) / kGib;
}

void look_at_card(const System& system, const ComputeGpu& gpu, CheckResult& result) {
  const Machine& machine = system.machine;
  const std::int64_t total = machine.number(gpu.folder + "/mem_info_vram_total").value_or(0);
  const std::int64_t seen = machine.number(gpu.folder + "/mem_info_vis_vram_total").value_or(total);
  const std::int64_t used = machine.number(gpu.folder + "/mem_info_vram_used").value_or(0);
  if (!gpu.integrated() && seen < total) {
    result.findings.push_back({"MEM-13", fmt::format("{}: {:.2f} of {:.0f} GiB are visible",
                                                     gpu.description(), gib(seen), gib(total))});
  }
  const bool somebody = !machine.names("/sys/class/kfd/kfd/proc").empty();
  if (!gpu.integrated() && !somebody && used > kUsualUseBytes) {
    result.findings.push_back(
        {"MEM-03", fmt::format("{}: {:.1f} GiB in use", gpu.description(), gib(used))});
  }
}

std::int64_t pages_limit(const Machine& machine) {
  for (const char* module : {"ttm", "amdttm"}) {
    const auto pages = machine.number(fmt::format("/sys/module/{}/parameters/pages_limit", module));
    if (pages) return *pages;
  }
  return 0;
}

void look_at_apu(const System& system, const ComputeGpu& gpu, CheckResult& result) {
  const Machine& machine = system.machine;
  const std::vector<int> kernel = version_numbers(machine.kernel_release());
  if (!kernel.empty() && kernel < std::vector{6, 16, 9}) {
    result.findings.push_back(
        {"MEM-10", fmt::format("{} on kernel {}", gpu.description(), machine.kernel_release())});
  }
  const std::int64_t ram =
      std::strtoll(machine.table("/proc/meminfo")["MemTotal"].c_str(), nullptr, 10) * 1024;
  const std::int64_t limit = pages_limit(machine) * kPageBytes;
  if (limit > 0 && ram > 0 && limit <= ram / 2 + kPageBytes) {
    result.findings.push_back({"D-11", fmt::format("{:.0f} of {:.0f} GiB", gib(limit), gib(ram))});
  }
  const std::int64_t mapped = machine.number(gpu.folder + "/mem_info_gtt_total").value_or(0);
  if (ram > 0 && mapped > ram) {
    result.findings.push_back(
        {"MEM-11",
         fmt::format("the mapped share is {:.0f} GiB, all memory {:.0f}", gib(mapped), gib(ram))});
  }
}

}  // namespace

CheckResult check_card_memory(const System& system) {
  CheckResult result;
  std::uint64_t bytes = 0;
  bool warned_of_hang = false;
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    bytes += gpu.memory_bytes;
    if (gpu.partition == 0) look_at_card(system, gpu, result);
    if (gpu.integrated() && system.hardware.gpus.size() == 1) look_at_apu(system, gpu, result);
    if (is_gfx12(gpu.gfx) && !warned_of_hang) {
      warned_of_hang = true;
      result.findings.push_back({"MEM-12", gpu.description()});
    }
  }
  result.summary = fmt::format("{:.0f} GiB in all", static_cast<double>(bytes) / kGib);
  return result;
}

}  // namespace hone::doctor
