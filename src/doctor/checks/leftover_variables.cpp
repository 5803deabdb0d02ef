// Variables of a search for errors that was over long ago.
#include "doctor/check.h"

namespace hone::doctor {
namespace {

struct Suspect {
  const char* name;
  const char* harmless;  // the value that changes nothing; empty: any value is suspect
};

constexpr Suspect kSuspects[] = {
    {"HIP_LAUNCH_BLOCKING", "0"},
    {"CUDA_LAUNCH_BLOCKING", "0"},
    {"AMD_SERIALIZE_KERNEL", "0"},
    {"AMD_SERIALIZE_COPY", "0"},
    {"AMD_LOG_LEVEL", "0"},
    {"HSA_ENABLE_SDMA", "1"},
    {"HSA_TOOLS_LIB", ""},
    {"HSA_ENABLE_INTERRUPT", "1"},
    {"HSAKMT_DEBUG_LEVEL", ""},
    {"HSA_CU_MASK", ""},
    {"ROCBLAS_LAYER", "0"},
    {"HIPBLASLT_LOG_LEVEL", "0"},
    {"GPU_MAX_ALLOC_PERCENT", "100"},
    {"GPU_SINGLE_ALLOC_PERCENT", "100"},
};

}  // namespace

CheckResult check_leftover_variables(const System& system) {
  std::string found;
  for (const Suspect& suspect : kSuspects) {
    const auto value = system.machine.variable(suspect.name);
    if (!value || *value == suspect.harmless) continue;
    append_item(found, " ", std::string(suspect.name) + "=" + *value);
  }
  if (system.machine.variable("NCCL_DEBUG") == "TRACE") {
    found += std::string(found.empty() ? "" : " ") + "NCCL_DEBUG=TRACE";
  }
  if (found.empty()) return {"none", {}};
  return {found, {{"ENV-08", found}}};
}

}  // namespace hone::doctor
