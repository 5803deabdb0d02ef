// Number formats: what each kind of card computes well.
#include "doctor/check.h"

namespace hone::doctor {

CheckResult check_precision(const System& system) {
  CheckResult result = {"bf16", {}};
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    if (gpu.integrated() && system.hardware.gpus.size() > 1) continue;
    if (gpu.gfx == "gfx90a") {
      result.findings.push_back({"NUM-01", gpu.description()});
      return result;
    }
    if (gpu.gfx.substr(0, 6) == "gfx103" || gpu.gfx == "gfx906") {
      result.summary = "no bf16 in hardware on " + gpu.gfx;
    }
  }
  return result;
}

}  // namespace hone::doctor
