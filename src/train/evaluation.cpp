#include "train/evaluation.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
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

// Sums over batches, in their order.
class Totals {
 public:
  void add(double batch_loss, double batch_labels, std::int64_t first, std::int64_t count) {
    if (!std::isfinite(batch_loss)) {
      throw UserError({"evaluation: records " + std::to_string(first + 1) + " to " +
                           std::to_string(first + count),
                       "a loss that is not a number",
                       "look at the model's weights; a lower learning_rate helps when training "
                       "made them so"});
    }
    loss_ += batch_loss;
    labels_ += batch_labels;
    if (batch_labels == 0.0) return;
    batch_means_ += batch_loss / batch_labels * static_cast<double>(count);
    records_with_labels_ += count;
  }

  void write_to(EvaluationResult& result) const {
    if (labels_ == 0.0) return;
    result.loss = loss_ / labels_;
    result.loss_batch_mean = batch_means_ / static_cast<double>(records_with_labels_);
  }

 private:
  double loss_ = 0.0;
  double batch_means_ = 0.0;
  double labels_ = 0.0;
  std::int64_t records_with_labels_ = 0;
};

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
      capacity.cover(one);
    }
  }
  return capacity;
}

EvaluationResult evaluate(const data::EncodedDataset& dataset, const EvaluationOptions& options,
                          BatchFeed& feed, model::Walk& walk, const losses::TokenLoss& loss,
                          const std::function<void(std::int64_t records)>& progressed,
                          StepRanks* ranks) {
  EvaluationResult result;
  const std::int64_t at_once = ranks == nullptr ? 1 : ranks->ranks();
  const std::int64_t own = ranks == nullptr ? 0 : ranks->rank();
  Totals totals;
  for (std::int64_t first = 0; first < dataset.records(); first += at_once * options.batch_size) {
    // Loss and labels of each rank's batch.
    std::vector<double> numbers(static_cast<std::size_t>(2 * at_once), 0.0);
    std::vector<std::vector<data::StepRecord>> passes;
    std::size_t passes_of_all = 0;
    for (std::int64_t i = 0; i < at_once; ++i) {
      const std::int64_t begin = first + i * options.batch_size;
      if (begin >= dataset.records()) break;
      auto cut = cut_batch(dataset.sizes(), options, begin);
      passes_of_all = std::max(passes_of_all, cut.size());
      if (i == own) passes = std::move(cut);
    }
    passes.resize(passes_of_all);
    for (const auto& records : passes) {
      const auto at = static_cast<std::size_t>(2 * own);
      numbers[at] += walk.evaluate(feed.pack(records, 0, 0), loss);
      numbers[at + 1] += static_cast<double>(feed.batch().label_count());
    }
    if (ranks != nullptr) ranks->sum(numbers);
    for (std::int64_t i = 0; i < at_once; ++i) {
      const std::int64_t begin = first + i * options.batch_size;
      if (begin >= dataset.records()) break;
      const std::int64_t count = std::min(options.batch_size, dataset.records() - begin);
      const auto at = static_cast<std::size_t>(2 * i);
      totals.add(numbers[at], numbers[at + 1], begin, count);
      result.records += count;
      ++result.batches;
    }
    progressed(result.records);
  }
  totals.write_to(result);
  return result;
}

report::Metrics evaluation_metrics(const EvaluationResult& result, double seconds,
                                   std::string_view prefix) {
  const auto measured = [](const std::optional<double>& value) {
    return value ? report::Measured(*value) : report::Measured();
  };
  return report::evaluation_metrics(
      {.runtime_seconds = seconds,
       .samples = result.records,
       .batches = result.batches,
       .measures = {{"loss", measured(result.loss)},
                    {"loss_batch_mean", measured(result.loss_batch_mean)}}},
      prefix);
}

void add_perplexities(report::Metrics& metrics) {
  constexpr std::string_view kEnd = "loss";
  report::Metrics added;
  for (const report::Metric& metric : metrics) {
    const std::string_view key = metric.key;
    if (key.size() <= kEnd.size() || key.substr(key.size() - kEnd.size()) != kEnd) continue;
    if (!report::is_number(metric.value)) continue;
    const std::string start(key.substr(0, key.size() - kEnd.size()));
    added.push_back({start + "perplexity", std::exp(report::to_number(metric.value))});
  }
  metrics.insert(metrics.end(), added.begin(), added.end());
}

}  // namespace hone::train
