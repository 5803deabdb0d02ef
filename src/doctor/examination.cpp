#include "doctor/examination.h"

#include <algorithm>

#include <fmt/format.h>

namespace hone::doctor {
namespace {

constexpr int kWarnings = 3;
constexpr int kFailures = 4;

bool presupposition_met(Check::Needs needs, const Hardware& hardware) {
  switch (needs) {
    case Check::Needs::nothing:
      return true;
    case Check::Needs::card:
      return hardware.any();
    case Check::Needs::gpu:
      return !hardware.gpus.empty();
    case Check::Needs::several_gpus:
      return hardware.gpus.size() > 1;
  }
  return false;
}

std::string_view presupposition(Check::Needs needs) {
  return needs == Check::Needs::several_gpus ? "only for several GPUs" : "no AMD GPU";
}

bool failed(const CheckResult& result) {
  return std::any_of(result.findings.begin(), result.findings.end(),
                     [](const Finding& finding) { return grade_of(finding) == Grade::failure; });
}

std::string verdict_of(const Examination& examination, const System& system,
                       const std::string& obstacle) {
  if (!obstacle.empty()) {
    return fmt::format("No GPU can be used until '{}' is in order; the CPU can be used meanwhile.",
                       obstacle);
  }
  if (!examination.gpu_usable) return "No AMD GPU can be used; the CPU can.";
  const std::size_t count = system.hardware.gpus.size();
  const std::string ready =
      fmt::format("{} GPU{} ready as far as files can tell", count, count == 1 ? " is" : "s are");
  return ready + (examination.has_module
                      ? "; the CPU can be used too."
                      : ", but this hone has no GPU module: it trains on the CPU.");
}

}  // namespace

std::optional<Grade> Examination::worst() const {
  std::optional<Grade> worst;
  for (const Answer& answer : answers) {
    for (const Finding& finding : answer.result.findings) {
      worst = std::max(worst.value_or(Grade::note), grade_of(finding));
    }
  }
  return worst;
}

Examination examine(const Machine& machine, bool has_module) {
  const System system = {machine, find_hardware(machine), find_software(machine)};
  Examination examination;
  examination.root = machine.root().string();
  examination.has_module = has_module;
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    examination.gpus.push_back(gpu.description());
  }
  std::string obstacle;
  for (const Check& check : all_checks()) {
    const bool waits = check.needs == Check::Needs::gpu ||
                       check.needs == Check::Needs::several_gpus || check.on_the_way;
    if (!obstacle.empty() && waits) {
      examination.answers.push_back(
          {check.name, Answer::State::left_out, {"first: " + obstacle, {}}});
    } else if (!presupposition_met(check.needs, system.hardware)) {
      examination.answers.push_back(
          {check.name, Answer::State::left_out, {std::string(presupposition(check.needs)), {}}});
    } else {
      examination.answers.push_back({check.name, Answer::State::done, check.run(system)});
      if (check.on_the_way && failed(examination.answers.back().result)) obstacle = check.name;
    }
  }
  examination.gpu_usable = obstacle.empty() && !system.hardware.gpus.empty();
  examination.verdict = verdict_of(examination, system, obstacle);
  return examination;
}

int exit_status(const Examination& examination) {
  switch (examination.worst().value_or(Grade::note)) {
    case Grade::note:
      return 0;
    case Grade::warning:
      return kWarnings;
    case Grade::failure:
      return kFailures;
  }
  return kFailures;
}

}  // namespace hone::doctor
