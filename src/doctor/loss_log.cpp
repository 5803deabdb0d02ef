#include <system_error>

#include <fmt/format.h>

#include "base/error.h"
#include "doctor/loss_rule.h"
#include "formats/records.h"

namespace hone::doctor {
namespace {

std::optional<double> number(const formats::Value& record, std::string_view key) {
  const formats::Value* value = record.find(key);
  if (value == nullptr || (value->kind() != formats::Value::Kind::integer &&
                           value->kind() != formats::Value::Kind::number)) {
    return std::nullopt;
  }
  return value->number();
}

}  // namespace

std::vector<LossPoint> read_losses(const std::filesystem::path& trainer_log) {
  formats::RecordReader reader(trainer_log);
  std::vector<LossPoint> points;
  formats::Record record;
  std::int64_t records = 0;
  try {
    while (reader.next(record)) {
      ++records;
      // Evaluations and the summary have no "loss"; hone leaves out that of a step without labels.
      if (record.value.find("loss") == nullptr) continue;
      const auto step =
          static_cast<std::int64_t>(number(record.value, "current_steps").value_or(0));
      // A run begins where the steps begin again.
      if (!points.empty() && step <= points.back().step) points.clear();
      points.push_back({step, number(record.value, "loss"), number(record.value, "lr")});
    }
  } catch (const UserError&) {
    if (records == 0) throw;  // no log at all; else a line torn by a kill
  }
  return points;
}

std::string loss_remark(const std::filesystem::path& output_folder) {
  const std::filesystem::path log = output_folder / "trainer_log.jsonl";
  std::error_code error;
  if (!std::filesystem::is_regular_file(log, error)) return "";
  try {
    const LossVerdict verdict = judge_losses(read_losses(log));
    if (!verdict.alarming()) return "";
    return verdict.found + "; " + verdict.remedy;
  } catch (const UserError&) {
    return "";  // a remark is no reason for a finished run to fail
  }
}

}  // namespace hone::doctor
