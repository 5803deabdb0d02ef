#include "report/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/error.h"
#include "formats/json.h"
#include "formats/json_writer.h"
#include "report/metric_json.h"
#include "report/units.h"

namespace hone::report {

namespace {

constexpr std::int64_t kLongestSeconds = 1'000'000'000'000;

void add_rate(Metrics& metrics, std::string name, double count, double seconds) {
  if (seconds > 0) metrics.push_back({std::move(name), rounded(count / seconds, 3)});
}

Metrics with_epoch(Metrics metrics, std::optional<double> epoch) {
  if (epoch) metrics.push_back({"epoch", *epoch});
  return metrics;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// "0:01:23.45": hundredths of a second, cut off.
std::string runtime_text(double seconds) {
  if (!(std::abs(seconds) < static_cast<double>(kLongestSeconds))) return "not finite";
  const double fraction = seconds - std::trunc(seconds);
  return fmt::format("{}.{:02}", clock_text(seconds), static_cast<int>(std::abs(fraction) * 100));
}

std::string block_value(const Metric& metric) {
  if (std::holds_alternative<std::monostate>(metric.value)) return "no labels";
  if (!is_number(metric.value)) return "not finite";
  const double value = to_number(metric.value);
  if (ends_with(metric.key, "_runtime")) return runtime_text(value);
  if (metric.key == "total_flos") return fmt::format("{:.0f}GF", std::floor(value / 0x1p30));
  if (const auto* whole = std::get_if<std::int64_t>(&metric.value))
    return fmt::format("{}", *whole);
  return formats::python_repr(rounded(value, 4));
}

}  // namespace

double rounded(double value, int decimals) {
  if (!std::isfinite(value)) return value;
  return std::strtod(fmt::format("{:.{}f}", value, decimals).c_str(), nullptr);
}

Metrics train_metrics(const TrainTotals& totals) {
  const double seconds = totals.runtime_seconds;
  Metrics metrics = {{"train_runtime", rounded(seconds, 4)}};
  add_rate(metrics, "train_samples_per_second", totals.samples, seconds);
  add_rate(metrics, "train_steps_per_second", static_cast<double>(totals.steps), seconds);
  if (totals.tokens_seen) {
    add_rate(metrics, "train_tokens_per_second", static_cast<double>(totals.tokens), seconds);
    metrics.push_back({"num_input_tokens_seen", *totals.tokens_seen});
  }
  metrics.push_back({"total_flos", totals.total_flops});
  metrics.push_back({"train_loss", totals.train_loss});
  if (totals.effective_tokens_per_second) {
    metrics.push_back({"effective_tokens_per_sec", *totals.effective_tokens_per_second});
  }
  return metrics;
}

Metrics evaluation_metrics(const EvaluationTotals& totals, std::string_view prefix) {
  Metrics metrics;
  for (const Metric& measure : totals.measures) {
    metrics.push_back({fmt::format("{}_{}", prefix, measure.key), measure.value});
  }
  const double seconds = totals.runtime_seconds;
  metrics.push_back({fmt::format("{}_runtime", prefix), rounded(seconds, 4)});
  add_rate(metrics, fmt::format("{}_samples_per_second", prefix),
           static_cast<double>(totals.samples), seconds);
  add_rate(metrics, fmt::format("{}_steps_per_second", prefix), static_cast<double>(totals.batches),
           seconds);
  return metrics;
}

std::string results_text(const Metrics& metrics, std::optional<double> epoch) {
  return sorted_json(to_json(with_epoch(metrics, epoch)), 4);
}

std::string all_results_text(std::string_view existing, const Metrics& metrics,
                             std::optional<double> epoch, LogSink& log) {
  formats::Value results = formats::Object();
  if (!existing.empty()) {
    try {
      formats::Value before = formats::parse_json(existing, "all_results.json");
      if (before.is_object()) {
        results = std::move(before);
      } else {
        log.warning("all_results.json: it held no JSON object and is written anew.");
      }
    } catch (const UserError& error) {
      log.warning(fmt::format("all_results.json: it could not be read ({}) and is written anew.",
                              error.faults().front().found));
    }
  }
  for (const Metric& metric : with_epoch(metrics, epoch)) {
    results.set(metric.key, to_json(metric.value));
  }
  return sorted_json(results, 4);
}

std::string metrics_block(std::string_view split, const Metrics& metrics,
                          std::optional<double> epoch) {
  std::vector<std::pair<std::string, std::string>> lines;
  std::size_t key_width = 0;
  std::size_t value_width = 0;
  for (const Metric& metric : with_epoch(metrics, epoch)) {
    lines.emplace_back(metric.key, block_value(metric));
    key_width = std::max(key_width, metric.key.size());
    value_width = std::max(value_width, lines.back().second.size());
  }
  std::sort(lines.begin(), lines.end());
  std::string text = fmt::format("***** {} metrics *****\n", split);
  for (const auto& [key, value] : lines) {
    text += fmt::format("  {:<{}} = {:>{}}\n", key, key_width, value, value_width);
  }
  return text;
}

}  // namespace hone::report
