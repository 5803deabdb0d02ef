#include "doctor/check.h"

namespace hone::doctor {
namespace {

using Needs = Check::Needs;

constexpr Check kChecks[] = {
    {"compute device /dev/kfd", Needs::nothing, true, check_compute_device},
    {"GPUs", Needs::card, true, check_topology},
    {"render nodes", Needs::gpu, true, check_render_nodes},
    {"chosen devices", Needs::gpu, true, check_visible_devices},
    {"gfx targets", Needs::gpu, true, check_targets},
    {"ROCm libraries", Needs::card, true, check_rocm_libraries},
    {"ROCm headers", Needs::card, false, check_rocm_headers},
    {"BLAS kernels", Needs::gpu, false, check_blas_kernels},
    {"driver", Needs::gpu, false, check_driver_version},
    {"driver options", Needs::gpu, false, check_driver_options},
    {"kernel log", Needs::card, false, check_kernel_log},
    {"card memory", Needs::gpu, false, check_card_memory},
    {"host memory", Needs::nothing, false, check_host_memory},
    {"limits", Needs::gpu, false, check_process_limits},
    {"shared memory", Needs::gpu, false, check_shared_memory},
    {"number formats", Needs::gpu, false, check_precision},
    {"IOMMU", Needs::gpu, false, check_iommu},
    {"NUMA", Needs::gpu, false, check_numa},
    {"processor", Needs::gpu, false, check_processor},
    {"memory pages", Needs::gpu, false, check_memory_pages},
    {"kernel build", Needs::several_gpus, false, check_kernel_build},
    {"partitions", Needs::gpu, false, check_partitions},
    {"PCIe links", Needs::gpu, false, check_pcie_links},
    {"links between cards", Needs::several_gpus, false, check_card_links},
    {"network", Needs::several_gpus, false, check_network},
    {"container", Needs::card, false, check_container},
    {"leftover variables", Needs::gpu, false, check_leftover_variables},
    {"counted errors", Needs::gpu, false, check_errors_counted},
    {"heat and power", Needs::gpu, false, check_heat_and_power},
    {"other processes", Needs::gpu, false, check_other_processes},
};

}  // namespace

std::span<const Check> all_checks() {
  return kChecks;
}

Grade grade_of(const Finding& finding) {
  return finding.grade.value_or(entry(finding.id).grade);
}

std::string_view remedy_of(const Finding& finding) {
  if (!finding.remedy.empty()) return finding.remedy;
  return entry(finding.id).remedy;
}

}  // namespace hone::doctor
