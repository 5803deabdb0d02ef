// The processor of a run: its device, and how operations are done there.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/log_sink.h"
#include "config/settings/settings.h"
#include "device/interface/device.h"
#include "ops/op_table.h"

namespace hone::assemble {

struct Machine {
  std::unique_ptr<Device> device;
  const ops::OpTable* table = nullptr;  // outlives every run

  // Whether frozen weights can be used where they lie in files, by a CPU.
  bool maps_files() const { return device->properties().kind != DeviceKind::gpu; }

  // "AMD EPYC 9754, 8 threads", "AMD Instinct MI300X (gfx942)"
  std::string summary() const;
};

using OpenMachine = std::function<Machine(const config::Settings&, LogSink&)>;

// The CPU, with the threads that the settings ask for.
Machine open_cpu_machine(const config::Settings& settings, LogSink& log);

// What the setting `device` wants. `auto` takes the first GPU that can be used; where a GPU module
// is there and finds none, that and why goes to `log`. Throws UserError for a GPU that was asked
// for and cannot be used.
Machine open_wanted_machine(const config::Settings& settings, LogSink& log);

// The same for one of several ranks of this machine, which share its processors: where the settings
// name no number of threads, each takes as many. `bound`: whoever started the ranks has dealt the
// processors out among them.
Machine open_shared_cpu_machine(const config::Settings& settings, int local_ranks, bool bound);

}  // namespace hone::assemble
