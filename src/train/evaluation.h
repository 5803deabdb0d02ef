// The loss over an evaluation set.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "data/batches/encoded_dataset.h"
#include "losses/token_loss.h"
#include "model/forward_backward/walk.h"
#include "report/events.h"
#include "train/batch_feed.h"
#include "train/step_ranks.h"

namespace hone::train {

struct EvaluationOptions {
  std::int64_t batch_size = 8;  // per_device_eval_batch_size
  std::int64_t micro_step_tokens = 1536;
};

struct EvaluationResult {
  std::optional<double> loss;             // mean over label tokens; nothing without labels
  std::optional<double> loss_batch_mean;  // LLaMA-Factory's rule, see below
  std::int64_t records = 0;
  std::int64_t batches = 0;
};

// Largest micro-step that evaluating records of these sizes makes.
data::BatchCapacity evaluation_capacity(const std::vector<data::RecordSize>& sizes,
                                        const EvaluationOptions& options);

// Runs all records in their order. `loss_batch_mean` is the mean of the batches' mean losses, each
// weighed by its records, as transformers' trainer does it; batches without labels are left out.
// `progressed` is called with the records done after every batch. Throws UserError when the loss is
// not finite.
// With several ranks (null: one) they take the batches in turn; every rank makes as many passes, so
// that gathers of weights meet, and gets the result of all.
EvaluationResult evaluate(const data::EncodedDataset& dataset, const EvaluationOptions& options,
                          BatchFeed& feed, model::Walk& walk, const losses::TokenLoss& loss,
                          const std::function<void(std::int64_t records)>& progressed,
                          StepRanks* ranks = nullptr);

// As transformers calls them: eval_loss, eval_loss_batch_mean, eval_runtime and its rates; or with
// another prefix than "eval".
report::Metrics evaluation_metrics(const EvaluationResult& result, double seconds,
                                   std::string_view prefix);

// Adds <prefix>_perplexity, e to the power of the loss, for every <prefix>_loss that is a number.
void add_perplexities(report::Metrics& metrics);

}  // namespace hone::train
