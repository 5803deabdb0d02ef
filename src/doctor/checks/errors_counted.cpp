// The error counters of the cards (RAS). A file that is not there says nothing.
#include <cstdlib>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {

CheckResult check_errors_counted(const System& system) {
  CheckResult result = {"not counted here", {}, false};
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    if (gpu.partition > 0) continue;
    for (const std::string& name : system.machine.names(gpu.folder + "/ras")) {
      const std::size_t end = name.rfind("_err_count");
      if (end == std::string::npos) continue;
      std::map<std::string, std::string> counts = system.machine.table(gpu.folder + "/ras/" + name);
      const long long fatal = std::strtoll(counts["ue"].c_str(), nullptr, 10);
      const long long corrected = std::strtoll(counts["ce"].c_str(), nullptr, 10);
      const std::string block = name.substr(0, end);
      result.known = true;
      if (result.findings.empty()) result.summary = "none";
      if (fatal > 0) {
        result.findings.push_back(
            {"FLT-06", fmt::format("{}: {} in block {}", gpu.description(), fatal, block)});
      }
      if (corrected > 0) {
        result.findings.push_back(
            {"FLT-07", fmt::format("{}: {} in block {}", gpu.description(), corrected, block)});
      }
    }
  }
  if (!result.findings.empty()) result.summary = "counted";
  return result;
}

}  // namespace hone::doctor
