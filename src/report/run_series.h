// What the page of a run draws: its figures over the steps, never more points than a page can
// carry, as a JSON text inside the page itself, from which a resumed run goes on.
//
// {"version": 1, "points": [[step, steps, losses, loss, grad_norm, learning_rate, tokens, seconds,
// memory_bytes], ...], "evaluations": [[step, eval_loss], ...]}; null where there was no value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/events.h"

namespace hone::report {

// One step, or several that were put together.
struct SeriesPoint {
  std::int64_t step = 0;            // the last of them
  std::int64_t steps = 1;           // how many
  std::int64_t losses = 0;          // how many had a loss
  std::optional<double> loss;       // mean
  std::optional<double> grad_norm;  // the largest
  double learning_rate = 0;         // of the last
  std::int64_t tokens = 0;          // sum
  double seconds = 0;               // sum
  std::int64_t memory_bytes = 0;    // the largest
};

struct EvaluationPoint {
  std::int64_t step = 0;
  std::optional<double> loss;
};

class RunSeries {
 public:
  // At least 2. With more points than this, neighbours are put together, two by two.
  explicit RunSeries(std::size_t most_points = 2048);

  // `memory_bytes`: resident memory of the process after the step.
  void add(const StepFinished& event, std::int64_t memory_bytes);
  // One evaluation per step: the later of two replaces the earlier.
  void add(const EvaluationPoint& point);

  // Goes on from what to_json gave, with what lies up to `last_step`; a text that is not such a
  // thing leaves the series empty. True when something was taken.
  bool restore(std::string_view json, std::int64_t last_step);
  std::string to_json() const;

  const std::vector<SeriesPoint>& points() const { return points_; }
  const std::vector<EvaluationPoint>& evaluations() const { return evaluations_; }
  std::int64_t steps_per_point() const { return steps_per_point_; }

 private:
  void append(const SeriesPoint& point);

  std::size_t most_points_;
  std::int64_t steps_per_point_ = 1;
  std::vector<SeriesPoint> points_;
  std::vector<EvaluationPoint> evaluations_;
};

}  // namespace hone::report
