// The HIP runtime and what it needs, as files; nothing is loaded, so that a broken one can be told.
#include <set>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

constexpr std::string_view kHip = "libamdhip64.so.";

// What HIP itself loads: a library's beginning, and the package that has it.
struct Needed {
  std::string_view library;
  std::string_view package;
};
constexpr Needed kNeeded[] = {
    {"libhsa-runtime64.so.1", "hsa-rocr"},
    {"libamd_comgr.so.", "comgr"},
    {"libdrm_amdgpu.so.1", "libdrm-amdgpu1"},
    {"libdrm.so.2", "libdrm2"},
    {"libnuma.so.1", "libnuma1"},
    {"libelf.so.1", "libelf1"},
};

}  // namespace

CheckResult check_rocm_libraries(const System& system) {
  CheckResult result;
  const std::vector<std::string> found = libraries(system.machine, system.software, kHip);
  if (found.empty()) {
    std::string looked;
    for (const std::string& folder : system.software.folders) {
      append_item(looked, ", ", folder);
    }
    return {"no HIP runtime", {{"BIN-09", "no libamdhip64.so.N in " + looked}}};
  }
  const std::vector<RocmInstallation>& rocm = system.software.rocm;
  const std::string version = rocm.empty() || rocm.front().version_text.empty()
                                  ? "ROCm of unknown version"
                                  : "ROCm " + rocm.front().version_text;
  result.summary = version + ", " + found.front();
  for (const Needed& needed : kNeeded) {
    if (!libraries(system.machine, system.software, needed.library).empty()) continue;
    result.findings.push_back({"BIN-10", fmt::format("{} is nowhere", needed.library),
                               fmt::format("install the package {}", needed.package)});
  }
  std::set<int> majors;
  for (const std::string& file : found) {
    const std::vector<int> numbers =
        version_numbers(std::string_view(file).substr(file.rfind('/') + 1 + kHip.size()));
    if (!numbers.empty()) majors.insert(numbers[0]);
  }
  if (majors.size() > 1 || rocm.size() > 1) {
    std::string list;
    for (const RocmInstallation& one : rocm) {
      list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", one.folder,
                          one.version_text.empty() ? "?" : one.version_text);
    }
    result.findings.push_back(
        {"BIN-11",
         rocm.size() > 1 ? list : fmt::format("{} major versions of libamdhip64", majors.size())});
  }
  return result;
}

}  // namespace hone::doctor
