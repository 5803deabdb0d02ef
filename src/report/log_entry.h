// Named numbers, and the entries of a run's log history.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hone::report {

// A logged value. Nothing (std::monostate) stands for "there was nothing to measure", as the loss
// of a batch without labels; it is null in JSON and a word on the console, never 0. A double that
// is not finite is treated the same way wherever it would be written as a number.
using Measured = std::variant<std::monostate, std::int64_t, double>;

// One named value: {"eval_loss", 1.25}.
struct Metric {
  std::string key;
  Measured value;

  bool operator==(const Metric& other) const = default;
};

using Metrics = std::vector<Metric>;

// The value of `key`, or nothing when it is not there.
Measured find_measured(const Metrics& metrics, std::string_view key);

// True when `metrics` has the key, whatever its value.
bool has_key(const Metrics& metrics, std::string_view key);

// A finite number as double: false for nothing and for a double that is not finite.
bool is_number(const Measured& value);

// The number itself; `value` must be one.
double to_number(const Measured& value);

// One entry of the log history, as transformers 5 keeps it. `metrics` are in the order in which
// they are shown; `epoch` and `step` belong to every entry and are not among them.
struct LogEntry {
  std::int64_t step = 0;
  double epoch = 0;
  // train: loss, grad_norm, learning_rate, [more], [num_input_tokens_seen]
  // evaluation: eval_loss, [more], eval_runtime, ...
  // summary, once at the end: train_runtime, ..., train_loss
  Metrics metrics;

  bool operator==(const LogEntry& other) const = default;
};

}  // namespace hone::report
