#include "device/gpu/hip_status.h"

#include "base/error.h"

namespace hone::hip {
namespace {

struct Remedy {
  hipError_t status;
  const char* remedy;
};

// The usual causes, as `hone doctor` looks for them.
constexpr Remedy kRemedies[] = {
    {hipErrorNoDevice, "run `hone doctor`, which says why no GPU is seen; or set device: cpu"},
    {hipErrorInsufficientDriver,
     "install the amdgpu driver of this ROCm version, or a ROCm for this driver; `hone doctor` "
     "shows both"},
    {hipErrorInitializationError,
     "another program may hold the driver in a bad state: run `hone doctor`, then restart the "
     "machine if it finds nothing"},
    {hipErrorInvalidDevice, "name a device that is there; `hone doctor` lists them"},
    {hipErrorOutOfMemory,
     "set memory_limit, a smaller cutoff_len or micro_step_tokens, or end other programs on the "
     "device"},
    {hipErrorNoBinaryForGpu,
     "build the GPU module for this card (GPU_TARGETS names it), or set device: cpu"},
    {hipErrorIllegalAddress,
     "a kernel touched memory that is not its own: run again with AMD_SERIALIZE_KERNEL=3 and "
     "report what it prints"},
    {hipErrorLaunchFailure,
     "the card ended a kernel: look into the system's log (dmesg) for what amdgpu says, and run "
     "`hone doctor`"},
    {hipErrorLaunchOutOfResources,
     "a kernel wants more of the card than it has: report the card's name, and set device: cpu"},
};

}  // namespace

std::string status_text(hipError_t status) {
  return std::string(hipGetErrorString(status)) + " (" + hipGetErrorName(status) + ", " +
         std::to_string(static_cast<int>(status)) + ")";
}

void require(hipError_t status, const std::string& asked) {
  if (status == hipSuccess) return;
  for (const Remedy& known : kRemedies) {
    if (known.status == status) throw UserError({asked, status_text(status), known.remedy});
  }
  throw UserError(
      {asked, status_text(status),
       "run `hone doctor --explain \"" + std::string(hipGetErrorString(status)) + "\"`"});
}

}  // namespace hone::hip
