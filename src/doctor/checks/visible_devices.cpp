// The variables that choose GPUs, applied as ROCm stacks them, and small GPUs among large ones.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

// Of a list like "0,2" the numbers; nothing for a part that is a unique id.
std::vector<std::optional<int>> listed(const std::string& list) {
  std::vector<std::optional<int>> found;
  std::size_t start = 0;
  while (start <= list.size()) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    const std::string part = list.substr(start, end - start);
    const std::vector<int> numbers = version_numbers(part);
    const bool negative = !part.empty() && part[0] == '-';
    if (negative) {
      found.emplace_back(-1);
    } else if (numbers.empty()) {
      found.emplace_back(std::nullopt);
    } else {
      found.emplace_back(numbers[0]);
    }
    start = end + 1;
  }
  return found;
}

// How many are left of `before` after this variable; the first number that is too large ends it.
int left_after(const std::string& name, const std::string& list, int before, CheckResult& result) {
  int left = 0;
  for (const std::optional<int>& number : listed(list)) {
    if (number && (*number < 0 || *number >= before)) {
      result.findings.push_back({"DEV-13", fmt::format("{}={} asks for device {}, and there are {}",
                                                       name, list, *number, before)});
      return left;
    }
    ++left;
  }
  return left;
}

void look_for_small_ones(const System& system, CheckResult& result) {
  const std::vector<ComputeGpu>& gpus = system.hardware.gpus;
  const auto small = std::find_if(gpus.begin(), gpus.end(),
                                  [](const ComputeGpu& gpu) { return gpu.integrated(); });
  const bool large = std::any_of(gpus.begin(), gpus.end(),
                                 [](const ComputeGpu& gpu) { return !gpu.integrated(); });
  if (small == gpus.end() || !large || system.machine.variable("ROCR_VISIBLE_DEVICES")) return;
  std::string others;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (!gpus[i].integrated()) append_item(others, ",", std::to_string(i));
  }
  result.findings.push_back({"DEV-15", small->description(),
                             "`export ROCR_VISIBLE_DEVICES=" + others + "` leaves it out"});
}

}  // namespace

CheckResult check_visible_devices(const System& system) {
  CheckResult result;
  int left = static_cast<int>(system.hardware.gpus.size());
  std::string set;
  bool second = false;  // HIP_VISIBLE_DEVICES and CUDA_VISIBLE_DEVICES are one filter
  for (const char* name : {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
                           "GPU_DEVICE_ORDINAL"}) {
    const auto list = system.machine.variable(name);
    if (!list) continue;
    set += fmt::format("{}{}={}", set.empty() ? "" : " ", name, *list);
    const bool alias = name == std::string_view("CUDA_VISIBLE_DEVICES");
    if (alias && second) continue;
    second = second || name == std::string_view("HIP_VISIBLE_DEVICES");
    left = left_after(name, *list, left, result);
  }
  if (left == 0 && !result.findings.empty()) result.findings.front().grade = Grade::failure;
  result.summary = set.empty() ? "all" : fmt::format("{} left by {}", left, set);
  look_for_small_ones(system, result);
  return result;
}

}  // namespace hone::doctor
