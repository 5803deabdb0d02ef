#include "data/order/schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "data/order/torch_order.h"

namespace hone::data {
namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

std::int64_t steps_of(const ScheduleOptions& options, std::int64_t steps_per_epoch) {
  if (options.max_steps > 0) return options.max_steps;
  const double steps = std::ceil(options.epochs * static_cast<double>(steps_per_epoch));
  HONE_ASSERT(steps >= 0 && steps < 9e18, options.epochs, steps_per_epoch);
  return static_cast<std::int64_t>(steps);
}

}  // namespace

Schedule::Schedule(const ScheduleOptions& options) : options_(options) {
  HONE_ASSERT(options.records >= 1 && options.batch_size >= 1 && options.accumulation >= 1 &&
                  options.ranks >= 1,
              options.records, options.batch_size, options.accumulation, options.ranks);
  const std::int64_t batches = ceil_div(options.records, options.batch_size);
  rounds_per_epoch_ = ceil_div(batches, options.ranks);
  steps_per_epoch_ = ceil_div(rounds_per_epoch_, options.accumulation);
  total_steps_ = steps_of(options, steps_per_epoch_);
}

std::int64_t Schedule::epochs_begun() const {
  return ceil_div(total_steps_, steps_per_epoch_);
}

const std::vector<std::int32_t>& Schedule::order_of(std::int64_t epoch) {
  if (ordered_epoch_ == epoch) return order_;
  if (options_.shuffle) {
    order_ = torch_random_order(options_.records, options_.seed + epoch);
  } else if (order_.empty()) {
    HONE_ASSERT(options_.records <= std::numeric_limits<std::int32_t>::max(), options_.records);
    order_.resize(static_cast<std::size_t>(options_.records));
    std::iota(order_.begin(), order_.end(), 0);
  }
  ordered_epoch_ = epoch;
  return order_;
}

StepData Schedule::step(std::int64_t index) {
  HONE_ASSERT(index >= 0 && index < total_steps_, index, total_steps_);
  StepData data;
  data.epoch = index / steps_per_epoch_;
  const std::int64_t in_epoch = index % steps_per_epoch_;
  const std::int64_t first_round = in_epoch * options_.accumulation;
  const std::int64_t end_round = std::min(first_round + options_.accumulation, rounds_per_epoch_);
  const std::int64_t round_records = options_.batch_size * options_.ranks;
  const std::int64_t first = first_round * round_records;
  const std::int64_t end = std::min(end_round * round_records, options_.records);

  const std::vector<std::int32_t>& order = order_of(data.epoch);
  data.records.reserve(static_cast<std::size_t>(end - first));
  for (std::int64_t place = first; place < end; ++place) {
    data.records.push_back(
        {order[static_cast<std::size_t>(place)], place, (place - first) / options_.batch_size});
  }
  data.logical_batches = ceil_div(end - first, options_.batch_size);
  data.epoch_after = static_cast<double>(data.epoch) +
                     static_cast<double>(end_round) / static_cast<double>(rounds_per_epoch_);
  data.ends_epoch = in_epoch + 1 == steps_per_epoch_;
  return data;
}

Schedule evaluation_schedule(std::int64_t records, std::int64_t batch_size,
                             std::int64_t batches_per_step) {
  ScheduleOptions options;
  options.records = records;
  options.batch_size = batch_size;
  options.accumulation = batches_per_step;
  options.epochs = 1.0;
  options.shuffle = false;
  return Schedule(options);
}

}  // namespace hone::data
