#include "report/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "base/error.h"
#include "formats/file_writer.h"

namespace hone::report {

namespace {

// With more points than this, marks would touch each other.
constexpr std::size_t kMostMarks = 40;

bool is_value(const std::optional<double>& value) {
  return value && std::isfinite(*value);
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string not_written(const std::string& key, const std::string& path, std::string_view why) {
  return fmt::format(
      "No picture of {}: {} could not be written ({}). The model is not touched by "
      "that.",
      key, path, why);
}

}  // namespace

std::vector<std::optional<double>> smoothed(const std::vector<std::optional<double>>& values) {
  const auto count = static_cast<double>(std::count_if(values.begin(), values.end(), is_value));
  const double weight = 1.8 * (1 / (1 + std::exp(-0.05 * count)) - 0.5);
  std::vector<std::optional<double>> result(values.size());
  std::optional<double> last;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_value(values[i])) continue;
    last = last ? *last * weight + (1 - weight) * *values[i] : *values[i];
    result[i] = last;
  }
  return result;
}

std::optional<LineChart> metric_chart(const std::vector<LogEntry>& history, const std::string& key,
                                      const std::string& output_dir) {
  std::vector<double> steps;
  std::vector<std::optional<double>> values;
  for (const LogEntry& entry : history) {
    if (!has_key(entry.metrics, key)) continue;
    const Measured value = find_measured(entry.metrics, key);
    steps.push_back(static_cast<double>(entry.step));
    values.push_back(is_number(value) ? std::optional(to_number(value)) : std::nullopt);
  }
  if (std::none_of(values.begin(), values.end(), is_value)) return std::nullopt;
  const std::vector<std::optional<double>> smooth = smoothed(values);
  const bool few = values.size() <= kMostMarks;
  ChartSeries original = {"original", {}, 0.4, 1.8, few};
  ChartSeries calm = {"smoothed", {}, 1.0, 2.4, false};
  for (std::size_t i = 0; i < values.size(); ++i) {
    original.points.push_back({steps[i], values[i]});
    calm.points.push_back({steps[i], smooth[i]});
  }
  return LineChart{fmt::format("training {} of {}", key, output_dir),
                   "step",
                   key,
                   {std::move(original), std::move(calm)}};
}

std::vector<std::string> plot_keys(const std::vector<LogEntry>& history) {
  std::vector<std::string> keys = {"loss"};
  for (const LogEntry& entry : history) {
    for (const Metric& metric : entry.metrics) {
      const std::string& key = metric.key;
      if (key.rfind("eval_", 0) != 0) continue;
      if (!ends_with(key, "_loss") && !ends_with(key, "_accuracy")) continue;
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  if (keys.size() == 1) keys.emplace_back("eval_loss");
  return keys;
}

std::string plot_file_name(std::string_view key) {
  std::string name = fmt::format("training_{}.png", key);
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

void write_plots(const std::vector<LogEntry>& history, const std::vector<std::string>& keys,
                 const std::string& output_dir, formats::FileSystem& files, LogSink& log) {
  for (const std::string& key : keys) {
    const std::string name = plot_file_name(key);
    const std::string path = output_dir + "/" + name;
    const auto chart = metric_chart(history, key, output_dir);
    if (!chart) {
      log.warning(
          fmt::format("No metric {} to plot: no log entry has a value for it, so there is "
                      "no {}.",
                      key, name));
      continue;
    }
    try {
      formats::write_whole_file(files, path, render_png(*chart));
      log.info(fmt::format("Figure saved at: {}", path));
    } catch (const UserError& error) {
      log.warning(not_written(key, path, error.faults().front().found));
    } catch (const std::exception& error) {
      log.warning(not_written(key, path, error.what()));
    }
  }
}

}  // namespace hone::report
