// The GPUs that the driver offers for computing, against the cards on the bus.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "doctor/check.h"
#include "doctor/missing_driver.h"

namespace hone::doctor {
namespace {

constexpr int kShares[] = {0x74b5, 0x7410};  // virtual functions: MI300X, MI200

std::string summary_of(const std::vector<ComputeGpu>& gpus) {
  std::map<std::string, int> counts;
  for (const ComputeGpu& gpu : gpus) {
    const std::string_view product = product_name(gpu.device_id);
    ++counts[product.empty() ? gpu.gfx : fmt::format("{} ({})", product, gpu.gfx)];
  }
  std::string text;
  for (const auto& [name, count] : counts) {
    append_item(text, ", ", fmt::format("{} x {}", count, name));
  }
  return text;
}

void look_at_kinds(const std::vector<ComputeGpu>& gpus, CheckResult& result) {
  std::set<std::string> kinds;
  for (const ComputeGpu& gpu : gpus) {
    if (!gpu.integrated()) kinds.insert(gpu.gfx);
  }
  if (kinds.size() > 1) {
    std::string list;
    for (const ComputeGpu& gpu : gpus) {
      append_item(list, "; ", gpu.description());
    }
    result.findings.push_back({"DEV-14", list});
  }
  const auto dual = [](const ComputeGpu& gpu) {
    return gpu.device_id == 0x740c || gpu.device_id == 0x7408;
  };
  const auto count = std::count_if(gpus.begin(), gpus.end(), dual);
  if (count > 0) {
    result.findings.push_back(
        {"DEV-20", fmt::format("devices: {}, cards: {}", count, (count + 1) / 2)});
  }
  for (const ComputeGpu& gpu : gpus) {
    if (std::find(std::begin(kShares), std::end(kShares), gpu.device_id) == std::end(kShares)) {
      continue;
    }
    result.findings.push_back({"DEV-17", gpu.description()});
    return;
  }
}

}  // namespace

CheckResult check_topology(const System& system) {
  const std::vector<ComputeGpu>& gpus = system.hardware.gpus;
  CheckResult result = {summary_of(gpus), {}};
  if (system.hardware.hidden_nodes > 0) {
    result.findings.push_back(
        {"DEV-06", fmt::format("{} of the host's devices are hidden from this process",
                               system.hardware.hidden_nodes)});
    if (gpus.empty()) result.findings.back().grade = Grade::failure;
  }
  for (const PciGpu& card : system.hardware.cards) {
    const bool offered = std::any_of(gpus.begin(), gpus.end(), [&](const ComputeGpu& gpu) {
      return gpu.address == card.address;
    });
    if (offered || system.hardware.hidden_nodes > 0) continue;
    result.findings.push_back(why_no_node(system, card));
    if (!gpus.empty()) result.findings.back().grade = Grade::warning;
  }
  if (gpus.empty() && result.findings.empty()) {
    result.findings.push_back(
        {"DEV-01", "the driver offers no GPU for computing", "", Grade::failure});
  }
  if (gpus.empty()) result.summary = "none";
  look_at_kinds(gpus, result);
  return result;
}

}  // namespace hone::doctor
