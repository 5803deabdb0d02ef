// The driver's version against ROCm's, doubled drivers, and firmware known to be broken.
#include <array>
#include <optional>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

// Releases that came together: AMD's driver package, and ROCm.
struct Release {
  std::array<int, 2> driver;
  std::array<int, 2> rocm;
};
constexpr Release kReleases[] = {
    {{6, 3}, {6, 0}},  {{6, 7}, {6, 1}},  {{6, 8}, {6, 2}},  {{6, 10}, {6, 3}},
    {{6, 12}, {6, 4}}, {{6, 14}, {7, 0}}, {{6, 16}, {7, 1}},
};
constexpr int kSupportedDistance = 2;
constexpr std::int64_t kBrokenMes = 0x83;

// The last release that is not newer than this version.
template <class Member>
std::optional<int> place(const std::vector<int>& version, Member member) {
  if (version.size() < 2) return std::nullopt;
  std::optional<int> found;
  int index = 0;
  for (const Release& release : kReleases) {
    const std::array<int, 2>& known = release.*member;
    if (version[0] > known[0] || (version[0] == known[0] && version[1] >= known[1])) found = index;
    ++index;
  }
  return found;
}

}  // namespace

CheckResult check_driver_version(const System& system) {
  const Machine& machine = system.machine;
  const Software& software = system.software;
  CheckResult result = {software.driver_text.empty()
                            ? "the kernel's own, " + machine.kernel_release()
                            : "amdgpu-dkms " + software.driver_text,
                        {}};
  const std::optional<int> driver = place(software.driver_version, &Release::driver);
  const std::optional<int> rocm = place(software.rocm_version(), &Release::rocm);
  if (driver && rocm && std::abs(*driver - *rocm) > kSupportedDistance) {
    result.findings.push_back(
        {"DRV-03", fmt::format("driver {} and ROCm {} are {} releases apart", software.driver_text,
                               software.rocm.front().version_text, std::abs(*driver - *rocm))});
  }
  if (machine.exists("/sys/module/ttm/parameters/pages_limit") &&
      machine.exists("/sys/module/amdttm/parameters/pages_limit")) {
    result.findings.push_back({"DRV-04", "/sys/module has ttm and amdttm"});
  }
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    if (gpu.gfx != "gfx1151" || (gpu.mes_firmware & 0xff) != kBrokenMes) continue;
    result.findings.push_back(
        {"DRV-05", fmt::format("{} has MES firmware 0x{:x}", gpu.description(), gpu.mes_firmware)});
  }
  return result;
}

}  // namespace hone::doctor
