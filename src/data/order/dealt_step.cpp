#include "data/order/dealt_step.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "data/batches/dealer.h"

namespace hone::data {
namespace {

std::vector<std::int64_t> lengths_of(const StepData& step, std::span<const RecordSize> sizes) {
  std::vector<std::int64_t> lengths;
  lengths.reserve(step.records.size());
  for (const StepRecord& record : step.records) {
    lengths.push_back(sizes[static_cast<std::size_t>(record.record)].tokens);
  }
  return lengths;
}

void widen(MicroStepBounds& bounds, const StepData& step, std::span<const RecordSize> sizes,
           int ranks, std::int64_t micro_step_tokens) {
  const Deal deal = cut(lengths_of(step, sizes), ranks, micro_step_tokens);
  bounds.micro_steps = std::max(bounds.micro_steps, deal.micro_steps());
  for (const std::vector<MicroStep>& rank : deal.ranks) {
    for (const MicroStep& micro_step : rank) {
      BatchCapacity held;
      for (const std::int32_t item : micro_step) {
        const StepRecord& record = step.records[static_cast<std::size_t>(item)];
        const RecordSize& size = sizes[static_cast<std::size_t>(record.record)];
        held.tokens += size.tokens;
        held.labels += size.predicted_labels;
        held.sequences += size.sequences;
      }
      bounds.capacity.tokens = std::max(bounds.capacity.tokens, held.tokens);
      bounds.capacity.sequences = std::max(bounds.capacity.sequences, held.sequences);
      bounds.capacity.labels = std::max(bounds.capacity.labels, held.labels);
    }
  }
}

// The sum of the `count` largest of one field.
std::int64_t sum_of_largest(std::span<const RecordSize> sizes, std::int64_t count,
                            std::int64_t RecordSize::*field) {
  std::vector<std::int64_t> values;
  values.reserve(sizes.size());
  for (const RecordSize& size : sizes) values.push_back(size.*field);
  const auto kept = std::min(values.size(), static_cast<std::size_t>(count));
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(kept);
  std::partial_sort(values.begin(), middle, values.end(), std::greater<>());
  std::int64_t sum = 0;
  for (auto value = values.begin(); value != middle; ++value) sum += *value;
  return sum;
}

// For any order. One record may be longer than micro_step_tokens, and is then alone.
MicroStepBounds bound_any_order(std::span<const RecordSize> sizes, std::int64_t step_records,
                                std::int64_t micro_step_tokens) {
  MicroStepBounds bounds;
  bounds.exact = false;
  std::int64_t longest = 0;
  for (const RecordSize& size : sizes) longest = std::max(longest, size.tokens);
  const std::int64_t all = sum_of_largest(sizes, step_records, &RecordSize::tokens);
  bounds.capacity.tokens = std::max(longest, std::min(micro_step_tokens, all));
  bounds.capacity.labels = std::min(
      bounds.capacity.tokens, sum_of_largest(sizes, step_records, &RecordSize::predicted_labels));
  bounds.capacity.sequences = sum_of_largest(sizes, step_records, &RecordSize::sequences);
  bounds.micro_steps = std::min(step_records, static_cast<std::int64_t>(sizes.size()));
  return bounds;
}

}  // namespace

DealtStep deal_step(const StepData& step, std::span<const RecordSize> sizes, int rank, int ranks,
                    std::int64_t micro_step_tokens) {
  HONE_ASSERT(rank >= 0 && rank < ranks, rank, ranks);
  DealtStep dealt;
  for (const StepRecord& record : step.records) {
    const RecordSize& size = sizes[static_cast<std::size_t>(record.record)];
    dealt.tokens += size.tokens;
    dealt.counted_labels += size.counted_labels;
    dealt.predicted_labels += size.predicted_labels;
  }
  const Deal deal = cut(lengths_of(step, sizes), ranks, micro_step_tokens);
  for (const MicroStep& micro_step : deal.ranks[static_cast<std::size_t>(rank)]) {
    std::vector<StepRecord>& records = dealt.micro_steps.emplace_back();
    records.reserve(micro_step.size());
    for (const std::int32_t item : micro_step) {
      records.push_back(step.records[static_cast<std::size_t>(item)]);
    }
  }
  return dealt;
}

MicroStepBounds bound_micro_steps(Schedule schedule, std::span<const RecordSize> sizes,
                                  std::int64_t micro_step_tokens, std::int64_t walk_limit_records) {
  const ScheduleOptions& options = schedule.options();
  HONE_ASSERT(options.records == static_cast<std::int64_t>(sizes.size()), options.records,
              sizes.size());
  const std::int64_t step_records = options.batch_size * options.ranks * options.accumulation;
  const std::int64_t most_per_step = std::min(step_records, options.records);
  if (schedule.total_steps() > walk_limit_records / most_per_step) {
    return bound_any_order(sizes, step_records, micro_step_tokens);
  }
  MicroStepBounds bounds;
  for (std::int64_t step = 0; step < schedule.total_steps(); ++step) {
    widen(bounds, schedule.step(step), sizes, static_cast<int>(options.ranks), micro_step_tokens);
  }
  return bounds;
}

}  // namespace hone::data
