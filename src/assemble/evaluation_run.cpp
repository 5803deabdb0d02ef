#include "assemble/evaluation_run.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "assemble/profile.h"
#include "assemble/result_files.h"
#include "assemble/run_reports.h"
#include "losses/cross_entropy.h"
#include "memory/arena.h"
#include "report/results.h"
#include "train/batch_feed.h"

namespace hone::assemble {
namespace {

using Clock = std::chrono::steady_clock;

// Thrown through the evaluation when a stop is wished.
struct StopWished {
  std::string set;
  std::int64_t records = 0;  // done of it
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

report::Logged evaluation_entry(const report::Metrics& metrics) {
  report::Logged logged;
  logged.kind = report::Logged::Kind::evaluation;
  logged.entry.metrics = metrics;
  return logged;
}

}  // namespace

EvaluationRun::EvaluationRun(const config::ReadResult& read, const RunEnvironment& environment)
    : read_(read),
      environment_(environment),
      output_(system_, {read.settings.training.output_dir, false, {}}, environment.log),
      planned_(read, environment.data_cache, environment.log) {}

report::Metrics EvaluationRun::measure(model::Walk& walk) const {
  report::Metrics all;
  for (const data::NamedRecords& set : planned_.data->sets) {
    const report::Metrics metrics = measure_set(set, walk);
    all.insert(all.end(), metrics.begin(), metrics.end());
  }
  if (read_.settings.finetuning.stage == config::Stage::pt) train::add_perplexities(all);
  return all;
}

report::Metrics EvaluationRun::measure_set(const data::NamedRecords& set, model::Walk& walk) const {
  const data::EncodedDataset& dataset = set.records.dataset;
  train::BatchFeed feed(dataset, planned_.capacity, false);
  const Clock::time_point start = Clock::now();
  environment_.console.evaluation_started({.name = set.name,
                                           .records = dataset.records(),
                                           .records_per_batch = planned_.options.batch_size});
  const auto progressed = [&](std::int64_t records) {
    environment_.console.evaluation_progressed(
        {.records = records, .of = dataset.records(), .elapsed_seconds = seconds_since(start)});
    const bool last = records == dataset.records() && &set == &planned_.data->sets.back();
    if (!last && environment_.stop_requested()) throw StopWished{set.name, records};
  };
  const train::EvaluationResult result =
      train::evaluate(dataset, planned_.options, feed, walk, losses::CrossEntropy(), progressed);
  const double seconds = seconds_since(start);
  report::Metrics metrics = train::evaluation_metrics(result, seconds, metric_prefix(set));
  environment_.console.evaluation_finished(
      {.step = 0, .epoch = 0, .metrics = metrics, .elapsed_seconds = seconds});
  return metrics;
}

RunOutcome EvaluationRun::run() {
  planned_.refuse_if_too_large();
  const int threads = planned_.machine.device->properties().threads;
  const Arena arena(*planned_.machine.device, planned_.plan);
  planned_.model->load(arena, threads);
  planned_.buffers->list.bind(arena);
  planned_.work_buffers.bind(arena);
  ops::OpContext ops;
  ops.table = planned_.machine.table;
  ops.device = planned_.machine.device.get();
  ops.threads = threads;
  ops.scratch = planned_.kernel_scratch;
  model::Walk walk(planned_.model->decoder(), *planned_.buffers, planned_.model->parameters(),
                   planned_.model->adapters(), ops);
  walk.prepare();
  std::optional<report::Roof> roof;
  Profile profile;
  if (read_.settings.machine.profile) {
    roof = measure_roof(*ops.table, *planned_.machine.device);
    ops.profile = &profile;
  }
  RunOutcome outcome;
  try {
    const Clock::time_point start = Clock::now();
    const report::Metrics metrics = measure(walk);
    const double seconds = seconds_since(start);
    write_results(system_, output_.path(), "eval", metrics, std::nullopt, environment_.log);
    if (roof) outcome.lines.push_back(report::profile_table(profile.rows(), seconds, *roof));
    outcome.lines.push_back(report::metrics_block("eval", metrics, std::nullopt));
    outcome.lines.push_back("the numbers lie in " +
                            (output_.path() / "eval_results.json").string());
    if (auto to = tensorboard_options(read_, {.output_dir = output_.path()})) {
      report::TensorBoardLog(*std::move(to), environment_.log).logged(evaluation_entry(metrics));
    }
  } catch (const StopWished& stop) {
    environment_.console.evaluation_finished({});
    outcome.interrupted = true;
    outcome.lines.push_back(fmt::format(
        "stopped after {}; nothing was written",
        stop.set.empty() ? fmt::format("{} of {} records", stop.records, planned_.records())
                         : fmt::format("{} records of the set {}", stop.records, stop.set)));
  }
  return outcome;
}

}  // namespace hone::assemble
