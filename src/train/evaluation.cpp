#include "train/evaluation.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/batches/dealer.h"
#include "report/results.h"

namespace hone::train {
namespace {

// The micro-steps of the batch that starts at record `first`.
std::vector<std::vector<data::StepRecord>> cut_batch(const std::vector<data::RecordSize>& sizes,
                                                     const EvaluationOptions& options,
                                                     std::int64_t first) {
  const std::int64_t count =
      std::min(options.batch_size, static_cast<std::int64_t>(sizes.size()) - first);
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = first; i < first + count; ++i) {
    lengths.push_back(sizes[static_cast<std::size_t>(i)].tokens);
  }
  const data::Deal deal = data::cut(lengths, 1, options.micro_step_tokens);
  std::vector<std::vector<data::StepRecord>> micro_steps;
  for (const data::MicroStep& items : deal.ranks.front()) {
    std::vector<data::StepRecord>& records = micro_steps.emplace_back();
    for (const std::int32_t item : items) records.push_back({first + item, first + item, 0});
  }
  return micro_steps;
}

}  // namespace

data::BatchCapacity evaluation_capacity(const std::vector<data::RecordSize>& sizes,
                                        const EvaluationOptions& options) {
  data::BatchCapacity capacity;
  const auto records_in_all = static_cast<std::int64_t>(sizes.size());
  for (std::int64_t first = 0; first < records_in_all; first += options.batch_size) {
    for (const auto& records : cut_batch(sizes, options, first)) {
      data::BatchCapacity one;
      for (const data::StepRecord& record : records) {
        const data::RecordSize& size = sizes[static_cast<std::size_t>(record.record)];
        one.tokens += size.tokens;
        one.labels += size.predicted_labels;
        one.sequences += size.sequences;
      }
      capacity.tokens = std::max(capacity.tokens, one.tokens);
      capacity.labels = std::max(capacity.labels, one.labels);
      capacity.sequences = std::max(capacity.sequences, one.sequences);
    }
  }
  return capacity;
}

EvaluationResult evaluate(const data::EncodedDataset& dataset, const EvaluationOptions& options,
                          BatchFeed& feed, model::Walk& walk, const losses::TokenLoss& loss,
                          const std::function<void(std::int64_t records)>& progressed) {
  EvaluationResult result;
  double sum = 0.0;
  double batch_sum = 0.0;
  std::int64_t labels = 0;
  std::int64_t records_with_labels = 0;
  for (std::int64_t first = 0; first < dataset.records(); first += options.batch_size) {
    double batch_loss = 0.0;
    std::int64_t batch_labels = 0;
    for (const auto& records : cut_batch(dataset.sizes(), options, first)) {
      batch_loss += walk.evaluate(feed.pack(records, 0, 0), loss);
      batch_labels += feed.batch().label_count();
    }
    const std::int64_t count = std::min(options.batch_size, dataset.records() - first);
    if (!std::isfinite(batch_loss)) {
      throw UserError({"evaluation: records " + std::to_string(first + 1) + " to " +
                           std::to_string(first + count),
                       "a loss that is not a number",
                       "look at the model's weights; a lower learning_rate helps when training "
                       "made them so"});
    }
    sum += batch_loss;
    labels += batch_labels;
    if (batch_labels > 0) {
      batch_sum += batch_loss / static_cast<double>(batch_labels) * static_cast<double>(count);
      records_with_labels += count;
    }
    result.records += count;
    ++result.batches;
    progressed(result.records);
  }
  if (labels > 0) {
    result.loss = sum / static_cast<double>(labels);
    result.loss_batch_mean = batch_sum / static_cast<double>(records_with_labels);
  }
  return result;
}

report::Metrics evaluation_metrics(const EvaluationResult& result, double seconds) {
  const auto measured = [](const std::optional<double>& value) {
    return value ? report::Measured(*value) : report::Measured();
  };
  return report::evaluation_metrics(
      {.runtime_seconds = seconds,
       .samples = result.records,
       .batches = result.batches,
       .measures = {{"loss", measured(result.loss)},
                    {"loss_batch_mean", measured(result.loss_batch_mean)}}});
}

}  // namespace hone::train
