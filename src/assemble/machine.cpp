#include "assemble/machine.h"

#include "device/cpu/cpu_device.h"
#include "kernels/cpu/cpu_table.h"

namespace hone::assemble {

Machine open_cpu_machine(const config::Settings& settings) {
  return {open_cpu_device({static_cast<int>(settings.machine.threads.value_or(0))}),
          &kernels::cpu_table()};
}

}  // namespace hone::assemble
