// The processor of a run: its device, and how operations are done there.
#pragma once

#include <functional>
#include <memory>

#include "config/settings/settings.h"
#include "device/interface/device.h"
#include "ops/op_table.h"

namespace hone::assemble {

struct Machine {
  std::unique_ptr<Device> device;
  const ops::OpTable* table = nullptr;  // outlives every run
};

using OpenMachine = std::function<Machine(const config::Settings&)>;

// The CPU, with the threads that the settings ask for.
Machine open_cpu_machine(const config::Settings& settings);

// The same for one of several ranks of this machine, which share its processors: where the settings
// name no number of threads, each takes as many. `bound`: whoever started the ranks has dealt the
// processors out among them.
Machine open_shared_cpu_machine(const config::Settings& settings, int local_ranks, bool bound);

}  // namespace hone::assemble
