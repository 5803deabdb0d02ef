// A check: one thing that is looked at before a run, and what it found.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doctor/hardware.h"
#include "doctor/knowledge/entry.h"
#include "doctor/machine.h"
#include "doctor/software.h"

namespace hone::doctor {

// What every check may look at.
struct System {
  const Machine& machine;
  Hardware hardware;
  Software software;
};

// An entry of the knowledge, met on this machine.
struct Finding {
  std::string_view id;
  std::string found;                // what was seen, with names and numbers
  std::string remedy = "";          // with this machine's names and numbers; empty: the entry's
  std::optional<Grade> grade = {};  // nothing: the entry's
};

Grade grade_of(const Finding& finding);
std::string_view remedy_of(const Finding& finding);

struct CheckResult {
  std::string summary;  // one short line; what was found when all is well
  std::vector<Finding> findings;
  bool known = true;  // false: the machine does not show it, which is not the same as all is well
};

struct Check {
  // What a check presupposes; without it, it is left out.
  enum class Needs { nothing, card, gpu, several_gpus };

  std::string_view name;
  Needs needs = Needs::nothing;
  // On the way to a usable GPU: its failure makes what follows pointless.
  bool on_the_way = false;
  CheckResult (*run)(const System& system) = nullptr;
};

// All checks in their order, from cheap and decisive to fine.
std::span<const Check> all_checks();

// The checks themselves, each in checks/ under its name.
CheckResult check_compute_device(const System& system);
CheckResult check_topology(const System& system);
CheckResult check_render_nodes(const System& system);
CheckResult check_visible_devices(const System& system);
CheckResult check_targets(const System& system);
CheckResult check_rocm_libraries(const System& system);
CheckResult check_rocm_headers(const System& system);
CheckResult check_blas_kernels(const System& system);
CheckResult check_driver_version(const System& system);
CheckResult check_driver_options(const System& system);
CheckResult check_kernel_log(const System& system);
CheckResult check_card_memory(const System& system);
CheckResult check_host_memory(const System& system);
CheckResult check_process_limits(const System& system);
CheckResult check_shared_memory(const System& system);
CheckResult check_iommu(const System& system);
CheckResult check_numa(const System& system);
CheckResult check_processor(const System& system);
CheckResult check_memory_pages(const System& system);
CheckResult check_kernel_build(const System& system);
CheckResult check_partitions(const System& system);
CheckResult check_pcie_links(const System& system);
CheckResult check_card_links(const System& system);
CheckResult check_network(const System& system);
CheckResult check_container(const System& system);
CheckResult check_leftover_variables(const System& system);
CheckResult check_errors_counted(const System& system);
CheckResult check_heat_and_power(const System& system);
CheckResult check_other_processes(const System& system);
CheckResult check_precision(const System& system);

}  // namespace hone::doctor
