// rocBLAS and hipBLASLt bring files per gfx name; a card without them fails at its first product.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

// The folder of kernels beside a library; empty: not found.
std::string kernels_folder(const System& system, const char* variable, const std::string& library) {
  if (const auto path = system.machine.variable(variable)) return *path;
  for (const std::string& folder : system.software.folders) {
    const std::string candidate = folder + "/" + library + "/library";
    if (system.machine.exists(candidate)) return candidate;
  }
  return "";
}

bool has_files_for(const std::vector<std::string>& names, const std::string& gfx) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const std::size_t at = name.find(gfx);
    return at != std::string::npos &&
           (at + gfx.size() == name.size() ||
            std::isalnum(static_cast<unsigned char>(name[at + gfx.size()])) == 0);
  });
}

std::string known_targets(const std::vector<std::string>& names) {
  std::set<std::string> found;
  for (const std::string& name : names) {
    const std::size_t at = name.find("gfx");
    if (at == std::string::npos) continue;
    const std::size_t end = name.find_first_not_of("0123456789abcdef", at + 3);
    found.insert(name.substr(at, end == std::string::npos ? end : end - at));
  }
  std::string list;
  for (const std::string& target : found) append_item(list, " ", target);
  return list.empty() ? "none" : list;
}

void look_at_rocblas(const System& system, const ComputeGpu& gpu, CheckResult& result) {
  const std::string folder = kernels_folder(system, "ROCBLAS_TENSILE_LIBPATH", "rocblas");
  if (folder.empty()) return;
  const std::vector<std::string> names = system.machine.names(folder);
  if (has_files_for(names, gpu.gfx)) return;
  const bool dropped = gpu.gfx == "gfx906" || gpu.gfx == "gfx900";
  result.findings.push_back(
      {dropped ? "BIN-08" : "BLAS-01",
       fmt::format("{} has no files for {}; it has: {}", folder, gpu.gfx, known_targets(names))});
}

void look_at_hipblaslt(const System& system, const ComputeGpu& gpu, CheckResult& result) {
  const std::string folder = kernels_folder(system, "HIPBLASLT_TENSILE_LIBPATH", "hipblaslt");
  if (folder.empty()) return;
  if (!has_files_for(system.machine.names(folder), gpu.gfx)) {
    result.findings.push_back({"BLAS-03", folder + " has no files for " + gpu.gfx, "",
                               is_instinct(gpu.gfx) ? Grade::warning : Grade::note});
    return;
  }
  const std::vector<int> version = system.software.rocm_version();
  const bool reads_beyond = is_gfx12(gpu.gfx) && (version.empty() || version >= std::vector{7, 2});
  const bool avoided = system.machine.variable("ROCBLAS_USE_HIPBLASLT") == "0";
  if (reads_beyond && !avoided) {
    result.findings.push_back(
        {"BLAS-06",
         gpu.gfx + " with hipBLASLt of ROCm " +
             (version.empty() ? "of unknown version" : system.software.rocm.front().version_text)});
  }
}

}  // namespace

CheckResult check_blas_kernels(const System& system) {
  CheckResult result;
  std::set<std::string> looked_at;
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    if (gpu.integrated() && system.hardware.gpus.size() > 1) continue;
    if (!looked_at.insert(gpu.gfx).second) continue;
    look_at_rocblas(system, gpu, result);
    look_at_hipblaslt(system, gpu, result);
  }
  const bool any = !kernels_folder(system, "ROCBLAS_TENSILE_LIBPATH", "rocblas").empty() ||
                   !kernels_folder(system, "HIPBLASLT_TENSILE_LIBPATH", "hipblaslt").empty();
  result.summary = !any ? "not installed" : "files for these cards are there";
  if (any && !result.findings.empty()) result.summary = "see below";
  return result;
}

}  // namespace hone::doctor
