// Headers and paths: what building a GPU module, or any HIP program, needs.
#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

// clang takes the newest folder of GCC, which is of use only with its C++ headers.
std::string newest_gcc_without_headers(const Machine& machine) {
  const std::vector<std::string> folders = machine.names("/usr/lib/gcc/x86_64-linux-gnu");
  if (folders.empty()) return "";
  const std::string& newest = folders.back();
  return machine.exists("/usr/include/c++/" + newest) ? "" : newest;
}

}  // namespace

CheckResult check_rocm_headers(const System& system) {
  CheckResult result = {"not installed, only needed for building", {}};
  const auto path = system.machine.variable("ROCM_PATH");
  if (path && !system.machine.exists(*path + "/include/hip/hip_runtime.h")) {
    result.findings.push_back(
        {"BIN-13", fmt::format("ROCM_PATH={} holds no include/hip/hip_runtime.h", *path), "",
         Grade::warning});
  }
  for (const RocmInstallation& rocm : system.software.rocm) {
    if (!rocm.has_headers) continue;
    result.summary = rocm.folder + "/include/hip";
    const std::string gcc = newest_gcc_without_headers(system.machine);
    if (!gcc.empty()) {
      result.findings.push_back(
          {"BIN-14",
           "the newest GCC folder is " + gcc + ", and /usr/include/c++/" + gcc + " is not there",
           "`sudo apt install libstdc++-" + gcc + "-dev`", Grade::warning});
    }
    break;
  }
  return result;
}

}  // namespace hone::doctor
