// gfx names: of the cards, of what pretends to be another, and of what builds are told.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

// What ROCm 6 and 7 have compilers and libraries for, and training makes sense on.
constexpr std::array<std::string_view, 15> kTargets = {
    "gfx900",  "gfx906",  "gfx908",  "gfx90a",  "gfx942",  "gfx950",  "gfx1030", "gfx1100",
    "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1200", "gfx1201"};

bool is_target(std::string_view gfx) {
  return std::find(kTargets.begin(), kTargets.end(), gfx) != kTargets.end();
}

// Code of one runs on the other: the same instructions.
bool same_instructions(std::string_view real, std::string_view pretended) {
  const auto family = [](std::string_view gfx) { return gfx.substr(0, 6); };  // "gfx103"
  return real == pretended || (family(real) == family(pretended) &&
                               (family(real) == "gfx103" || family(real) == "gfx110"));
}

void look_at_override(const System& system, const std::string& name, const std::string& value,
                      CheckResult& result) {
  const std::vector<int> numbers = version_numbers(value);
  const bool well_formed = numbers.size() == 3 &&
                           value.find_first_not_of("0123456789.") == std::string::npos &&
                           value.back() != '.';
  if (!well_formed) {
    result.findings.push_back({"ENV-07", name + "=" + value});
    return;
  }
  const std::string pretended = gfx_name(numbers[0] * 10000 + numbers[1] * 100 + numbers[2]);
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    if (same_instructions(gpu.gfx, pretended)) continue;
    const bool near = gpu.gfx.substr(0, 5) == pretended.substr(0, 5);
    result.findings.push_back(
        {near ? "BIN-04" : "BIN-03",
         fmt::format("{}={} pretends {}, but the card is {}", name, value, pretended, gpu.gfx)});
    return;
  }
}

void look_at_build_targets(const System& system, const std::string& name, CheckResult& result) {
  const auto list = system.machine.variable(name);
  if (!list) return;
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    if (gpu.integrated() || list->find(gpu.gfx) != std::string::npos) continue;
    result.findings.push_back({"BIN-01", fmt::format("{}={} leaves out {}", name, *list, gpu.gfx),
                               fmt::format("`export {}={}`", name, gpu.gfx), Grade::warning});
    return;
  }
}

void look_at_xnack(const System& system, CheckResult& result) {
  const auto value = system.machine.variable("HSA_XNACK");
  if (value && *value == "1") {
    result.findings.push_back({"BIN-07", "HSA_XNACK=1 is set"});
  }
}

}  // namespace

CheckResult check_targets(const System& system) {
  CheckResult result;
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    if (result.summary.find(gpu.gfx) == std::string::npos) {
      append_item(result.summary, " ", gpu.gfx);
    }
    if (is_target(gpu.gfx) || (gpu.integrated() && system.hardware.gpus.size() > 1)) continue;
    result.findings.push_back({"BIN-01",
                               gpu.description() + " is not among the cards that ROCm's "
                                                   "libraries are made for",
                               "train on the CPU, or with an older ROCm that still has this card"});
  }
  for (const auto& [name, value] : system.machine.variables()) {
    if (name.rfind("HSA_OVERRIDE_GFX_VERSION", 0) == 0) {
      look_at_override(system, name, value, result);
    }
  }
  for (const char* name : {"PYTORCH_ROCM_ARCH", "GPU_TARGETS", "AMDGPU_TARGETS"}) {
    look_at_build_targets(system, name, result);
  }
  look_at_xnack(system, result);
  return result;
}

}  // namespace hone::doctor
