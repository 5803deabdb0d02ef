// Whether the loss of a run falls as it should: a rule over the logged losses, written down for
// users in docs/doctor.md.
//
// It speaks only when it is sure: noise that could hide a fall is no reason to warn.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hone::doctor {

struct LossPoint {
  std::int64_t step = 0;
  std::optional<double> loss;           // nothing: logged, and not a number
  std::optional<double> learning_rate;  // where it was logged
};

struct LossVerdict {
  enum class Kind { too_few, falls, unsure, flat, rises, swings, not_a_number };
  Kind kind = Kind::too_few;
  std::string found;   // one sentence with numbers
  std::string remedy;  // one sentence; empty when there is nothing to do

  bool alarming() const { return !remedy.empty(); }
};

// Fewer logged losses than this say nothing.
inline constexpr std::size_t kFewestLosses = 20;

LossVerdict judge_losses(const std::vector<LossPoint>& points);

// The losses of the last run in a trainer_log.jsonl; a torn last line is left out. Errors
// (UserError): the file is not there or cannot be read, or holds something else.
std::vector<LossPoint> read_losses(const std::filesystem::path& trainer_log);

// One line for the end of a run that left its log in this folder; empty when there is nothing to
// say, or no log.
std::string loss_remark(const std::filesystem::path& output_folder);

}  // namespace hone::doctor
