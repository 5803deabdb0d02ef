#include "assemble/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "assemble/loaded_module.h"
#include "base/error.h"
#include "device/cpu/cpu_device.h"
#include "kernels/cpu/cpu_table.h"

namespace hone::assemble {
namespace {

CpuOptions cpu_options(const config::Settings& settings) {
  return {static_cast<int>(settings.machine.threads.value_or(0))};
}

Machine open_gpu(const std::string& asked, int index, const config::Settings& settings) {
  const GpuModule& module = load_gpu_module(asked);
  return {module.open(index, cpu_threads(cpu_options(settings))), module.table};
}

}  // namespace

std::string Machine::summary() const {
  const DeviceProperties& properties = device->properties();
  if (properties.kind != DeviceKind::cpu) return properties.name;
  return fmt::format("{}, {} threads", properties.name, properties.threads);
}

Machine open_cpu_machine(const config::Settings& settings, LogSink&) {
  return {open_cpu_device(cpu_options(settings)), &kernels::cpu_table()};
}

Machine open_wanted_machine(const config::Settings& settings, LogSink& log) {
  const std::optional<config::DeviceWish> wish = config::parse_device(settings.machine.device);
  HONE_ASSERT(wish.has_value(), settings.machine.device);
  if (wish->kind == config::DeviceChoice::gpu) {
    return open_gpu("device: " + settings.machine.device, wish->index, settings);
  }
  if (wish->kind == config::DeviceChoice::automatic && gpu_module_is_there()) {
    try {
      return open_gpu("device: auto", 0, settings);
    } catch (const UserError& error) {
      log.info("the CPU computes, as no GPU can be used: " + error.faults().front().found);
    }
  }
  return open_cpu_machine(settings, log);
}

Machine open_shared_cpu_machine(const config::Settings& settings, int local_ranks, bool bound) {
  if (config::parse_device(settings.machine.device)->kind == config::DeviceChoice::gpu) {
    throw UserError({"device: " + settings.machine.device, "several ranks, which share CPUs only",
                     "set device: cpu, or start one rank"});
  }
  Machine machine = {open_cpu_device(cpu_options(settings)), &kernels::cpu_table()};
  if (settings.machine.threads || bound) return machine;
  const int threads = std::max(1, machine.device->properties().threads / local_ranks);
  machine.device = open_cpu_device({threads});
  return machine;
}

}  // namespace hone::assemble
