#include "report/run_series.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "formats/json.h"
#include "formats/json_writer.h"
#include "report/metric_json.h"

namespace hone::report {
namespace {

using formats::Value;

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kFields = 9;

std::optional<double> larger(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b) return a ? a : b;
  return std::max(*a, *b);
}

SeriesPoint together(const SeriesPoint& a, const SeriesPoint& b) {
  SeriesPoint both = b;
  both.steps = a.steps + b.steps;
  both.losses = a.losses + b.losses;
  if (a.loss && b.loss) {
    both.loss =
        (*a.loss * static_cast<double>(a.losses) + *b.loss * static_cast<double>(b.losses)) /
        static_cast<double>(both.losses);
  } else if (a.loss) {
    both.loss = a.loss;
  }
  both.grad_norm = larger(a.grad_norm, b.grad_norm);
  both.tokens = a.tokens + b.tokens;
  both.seconds = a.seconds + b.seconds;
  both.memory_bytes = std::max(a.memory_bytes, b.memory_bytes);
  return both;
}

Value value_of(const std::optional<double>& number) {
  return to_json(number ? Measured(*number) : Measured());
}

bool is_number(const Value& value) {
  return value.kind() == Value::Kind::integer || value.kind() == Value::Kind::number;
}

std::optional<double> number_in(const Value& value) {
  if (!is_number(value)) return std::nullopt;
  return value.number();
}

std::int64_t whole_in(const Value& value) {
  return value.kind() == Value::Kind::integer ? std::max<std::int64_t>(value.integer(), 0) : 0;
}

std::optional<SeriesPoint> point_in(const Value& value) {
  const formats::Array* row = value.get_array();
  if (row == nullptr || row->size() != kFields) return std::nullopt;
  const formats::Array& fields = *row;
  SeriesPoint point;
  point.step = whole_in(fields[0]);
  point.steps = whole_in(fields[1]);
  point.losses = whole_in(fields[2]);
  point.loss = number_in(fields[3]);
  point.grad_norm = number_in(fields[4]);
  point.learning_rate = number_in(fields[5]).value_or(0);
  point.tokens = whole_in(fields[6]);
  point.seconds = number_in(fields[7]).value_or(0);
  point.memory_bytes = whole_in(fields[8]);
  if (point.step < 1 || point.steps < 1 || (point.loss && point.losses < 1)) return std::nullopt;
  return point;
}

}  // namespace

RunSeries::RunSeries(std::size_t most_points) : most_points_(most_points) {
  HONE_ASSERT(most_points >= 2, most_points);
}

void RunSeries::append(const SeriesPoint& point) {
  if (!points_.empty() && points_.back().steps + point.steps <= steps_per_point_) {
    points_.back() = together(points_.back(), point);
    return;
  }
  points_.push_back(point);
  if (points_.size() <= most_points_) return;
  steps_per_point_ *= 2;
  std::vector<SeriesPoint> all;
  all.swap(points_);
  for (const SeriesPoint& each : all) {
    const bool fits = !points_.empty() && points_.back().steps + each.steps <= steps_per_point_;
    if (fits) {
      points_.back() = together(points_.back(), each);
    } else {
      points_.push_back(each);
    }
  }
}

void RunSeries::add(const StepFinished& event, std::int64_t memory_bytes) {
  SeriesPoint point;
  point.step = event.step;
  point.loss = event.loss;
  point.losses = event.loss ? 1 : 0;
  point.grad_norm = event.grad_norm;
  point.learning_rate = event.learning_rate;
  point.tokens = event.tokens;
  point.seconds = event.seconds;
  point.memory_bytes = memory_bytes;
  append(point);
}

void RunSeries::add(const EvaluationPoint& point) {
  if (!evaluations_.empty() && evaluations_.back().step == point.step) evaluations_.pop_back();
  evaluations_.push_back(point);
}

bool RunSeries::restore(std::string_view json, std::int64_t last_step) {
  points_.clear();
  evaluations_.clear();
  steps_per_point_ = 1;
  try {
    const Value value = formats::parse_json(json, "report.html");
    const Value* version = value.find("version");
    const Value* points = value.find("points");
    const Value* evaluations = value.find("evaluations");
    if (version == nullptr || !(*version == Value(kVersion)) || points == nullptr ||
        points->get_array() == nullptr) {
      return false;
    }
    for (const Value& each : points->array()) {
      const std::optional<SeriesPoint> point = point_in(each);
      const bool next = point && (points_.empty() || points_.back().step < point->step);
      if (!next || point->step > last_step) break;
      while (steps_per_point_ < point->steps) steps_per_point_ *= 2;
      append(*point);
    }
    if (evaluations == nullptr || evaluations->get_array() == nullptr) return !points_.empty();
    for (const Value& each : evaluations->array()) {
      const formats::Array* pair = each.get_array();
      if (pair == nullptr || pair->size() != 2 || whole_in((*pair)[0]) > last_step) break;
      add(EvaluationPoint{whole_in((*pair)[0]), number_in((*pair)[1])});
    }
  } catch (const UserError&) {
    return false;  // somebody else's page
  }
  return !points_.empty() || !evaluations_.empty();
}

std::string RunSeries::to_json() const {
  formats::Array points;
  for (const SeriesPoint& point : points_) {
    points.push_back(formats::Array{point.step, point.steps, point.losses, value_of(point.loss),
                                    value_of(point.grad_norm), value_of(point.learning_rate),
                                    point.tokens, value_of(point.seconds), point.memory_bytes});
  }
  formats::Array evaluations;
  for (const EvaluationPoint& point : evaluations_) {
    evaluations.push_back(formats::Array{point.step, value_of(point.loss)});
  }
  Value all;
  all.set("version", kVersion);
  all.set("points", std::move(points));
  all.set("evaluations", std::move(evaluations));
  return formats::dump_python(all, {.indent = std::nullopt, .compact = true});
}

}  // namespace hone::report
