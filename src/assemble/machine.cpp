#include "assemble/machine.h"

#include <algorithm>

#include "device/cpu/cpu_device.h"
#include "kernels/cpu/cpu_table.h"

namespace hone::assemble {

Machine open_cpu_machine(const config::Settings& settings) {
  return {open_cpu_device({static_cast<int>(settings.machine.threads.value_or(0))}),
          &kernels::cpu_table()};
}

Machine open_shared_cpu_machine(const config::Settings& settings, int local_ranks, bool bound) {
  Machine machine = open_cpu_machine(settings);
  if (settings.machine.threads || bound) return machine;
  const int threads = std::max(1, machine.device->properties().threads / local_ranks);
  machine.device = open_cpu_device({threads});
  return machine;
}

}  // namespace hone::assemble
