// Pictures of a finished run: training_loss.png and its kin.
//
// Content and formula as LLaMA-Factory's extras/ploting.py: for each key the entries of the log
// history that hold it give (step, value); two lines, "original" (opacity 0.4) and "smoothed". An
// entry whose value is null is a gap in both lines, and its neighbours are smoothed as if it were
// not there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log_sink.h"
#include "formats/file_system.h"
#include "report/line_chart.h"
#include "report/log_entry.h"

namespace hone::report {

// s_0 = x_0; s_i = w s_{i-1} + (1 - w) x_i with w = 1.8 (1 / (1 + exp(-0.05 n)) - 0.5), n the
// number of values there are. A value that is missing or not finite stays a gap.
std::vector<std::optional<double>> smoothed(const std::vector<std::optional<double>>& values);

// The chart of one key; nothing when no entry has a number for it.
std::optional<LineChart> metric_chart(const std::vector<LogEntry>& history, const std::string& key,
                                      const std::string& output_dir);

// What there is to draw: `loss`, then whatever evaluations measured as eval_loss, eval_accuracy,
// eval_<name>_loss and eval_<name>_accuracy, in the order in which it appeared; eval_loss also
// where nothing was evaluated, so that this is said.
std::vector<std::string> plot_keys(const std::vector<LogEntry>& history);

// "training_loss.png"; a slash in the key becomes an underscore.
std::string plot_file_name(std::string_view key);

// Draws and writes the picture of every key into output_dir, and says on `log` for each where it
// lies, or why there is none. Never throws because of a picture: a run that is done stays done.
void write_plots(const std::vector<LogEntry>& history, const std::vector<std::string>& keys,
                 const std::string& output_dir, formats::FileSystem& files, LogSink& log);

}  // namespace hone::report
