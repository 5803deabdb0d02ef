#include "assemble/training_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <sstream>
#include <utility>

#include "assemble/result_files.h"
#include "assemble/run_reports.h"
#include "assemble/settings_options.h"
#include "base/version.h"
#include "checkpoint/final_model.h"
#include "checkpoint/folder_saver.h"
#include "checkpoint/model_card.h"
#include "config/settings/declaration.h"
#include "formats/file_writer.h"
#include "formats/json.h"
#include "formats/whole_file.h"
#include "losses/cross_entropy.h"
#include "report/plots.h"
#include "report/results.h"
#include "report/units.h"
#include "train/one_rank.h"

namespace hone::assemble {
namespace {

namespace fs = std::filesystem;

// Settings by which two runs of the same data differ in their bits.
constexpr const char* kBitSettings[] = {"model_name_or_path",
                                        "finetuning_type",
                                        "lora_rank",
                                        "lora_alpha",
                                        "lora_dropout",
                                        "lora_target",
                                        "use_rslora",
                                        "additional_target",
                                        "template",
                                        "cutoff_len",
                                        "stage",
                                        "packing",
                                        "neat_packing",
                                        "bf16",
                                        "pure_bf16",
                                        "optim",
                                        "learning_rate",
                                        "weight_decay",
                                        "adam_beta1",
                                        "adam_beta2",
                                        "adam_epsilon",
                                        "max_grad_norm",
                                        "lr_scheduler_type",
                                        "lr_scheduler_kwargs",
                                        "warmup_steps",
                                        "max_steps",
                                        "num_train_epochs",
                                        "per_device_train_batch_size",
                                        "gradient_accumulation_steps"};

// Written when all other results are there.
constexpr const char* kLastResult = "trainer_state.json";

std::string setting_text(const config::Settings& settings, const char* name) {
  const config::Declaration* declaration = config::Declarations::all().find(name);
  HONE_ASSERT(declaration != nullptr, name);
  return config::to_text(config::stored_value(*declaration, settings));
}

}  // namespace

TrainingRun::TrainingRun(const config::ReadResult& read, const RunEnvironment& environment)
    : read_(read), environment_(environment) {
  if (environment_.ranks == nullptr) {
    open_output();
  } else {
    const std::string shared = environment_.ranks->share("checkpoint", [this] {
      open_output();
      if (!checkpoint_) return folder_.string() + "\n";
      return folder_.string() + "\n" + checkpoint_->folder.string() + "\n" +
             checkpoint_->identity();
    });
    if (!is_writer()) open_shared_checkpoint(shared);
  }
  if (environment_.output_chosen) environment_.output_chosen(folder_);
  if (checkpoint_) {
    environment.log.info(fmt::format("resuming from {}, after step {}",
                                     checkpoint_->folder.string(), checkpoint_->step()));
  }
  planned_ = std::make_unique<PlannedRun>(read,
                                          PlanningOptions{.data_cache = environment.data_cache,
                                                          .open_machine = environment.open_machine,
                                                          .ranks = environment.ranks},
                                          environment.log);
}

bool TrainingRun::overwrites() const {
  const config::TrainingSettings& training = settings().training;
  // To go on from a checkpoint that was named is not to overwrite,
  const bool named = training.resume_from_checkpoint.value_or("false") != "false";
  if (!training.overwrite_output_dir || named) return false;
  // nor is a second attempt after the first one has saved.
  return !environment_.first_attempt ||
         !checkpoint::saved_since(training.output_dir, *environment_.first_attempt);
}

void TrainingRun::open_output() {
  std::vector<fs::path> sources = {settings().model.model_name_or_path};
  for (const std::string& path : settings().model.adapter_name_or_path) sources.emplace_back(path);
  const config::TrainingSettings& training = settings().training;
  const bool overwrite = overwrites();
  output_ = std::make_unique<checkpoint::OutputFolder>(
      system_, checkpoint::OutputFolderOptions{training.output_dir, overwrite, sources},
      environment_.log);
  folder_ = output_->path();
  checkpoint_ = checkpoint::choose_checkpoint(
      system_, {folder_, training.resume_from_checkpoint, overwrite}, environment_.log);
  if (!checkpoint_ && !overwrite) output_->refuse_finished_model();
}

// Every rank reads what it holds of the checkpoint that rank 0 has chosen.
void TrainingRun::open_shared_checkpoint(const std::string& shared) {
  std::istringstream lines(shared);
  std::string folder;
  std::string checkpoint;
  std::string identity;
  std::getline(lines, folder);
  std::getline(lines, checkpoint);
  std::getline(lines, identity);
  folder_ = folder;
  if (checkpoint.empty()) return;
  std::string found = "another checkpoint than rank 0 has";
  try {
    checkpoint_ = checkpoint::open_checkpoint(checkpoint);
    if (checkpoint_->identity() == identity) return;
  } catch (const UserError& error) {
    found = error.faults().front().found;
  }
  throw UserError(
      {fmt::format("resuming from {} on rank {}", checkpoint, environment_.ranks->rank()), found,
       "put output_dir on a file system that all machines share, or copy the checkpoint "
       "to the same place on this one"});
}

bool TrainingRun::agreed(const std::string& name, const std::function<bool()>& find) const {
  if (environment_.ranks == nullptr) return find();
  return environment_.ranks->share(name, [&] { return find() ? "yes" : "no"; }) == "yes";
}

TrainingRun::~TrainingRun() = default;

void TrainingRun::take_memory() {
  TrainingPlan& plan = *planned_->plan;
  arena_ = std::make_unique<Arena>(*planned_->machine.device, plan.plan);
  arena_->populate();
  plan.weights->load(*arena_, planned_->machine.device->properties().threads);
  plan.buffers->list.bind(*arena_);
  if (plan.ranked) {
    plan.ranked->bind(*arena_);
  } else {
    plan.gradients->bind(*arena_);
    if (plan.on_disk.empty()) plan.optimizer->buffers().bind(*arena_);
  }
  plan.take_files();
  plan.work_buffers.bind(*arena_);
  ops_.table = planned_->machine.table;
  ops_.device = planned_->machine.device.get();
  ops_.threads = planned_->machine.device->properties().threads;
  ops_.scratch = plan.kernel_scratch;
  walk_ = std::make_unique<model::Walk>(plan.decoder, *plan.buffers, plan.parameters(),
                                        plan.adapter_set(), ops_);
  walk_->prepare();
  walk_->set_training(plan.ranked ? plan.ranked->sink() : plan.gradients->sink(),
                      static_cast<std::uint64_t>(settings().training.seed));
}

train::ResumePoint TrainingRun::resume_point() {
  train::ResumePoint point;
  if (!checkpoint_) return point;
  checkpoint::compare_with_run(*checkpoint_, facts(), environment_.log);
  const report::TrainerState state = report::parse_trainer_state(
      checkpoint_->trainer_state, (checkpoint_->folder / "trainer_state.json").string());
  point.step = checkpoint_->step();
  point.optimizer_updates = checkpoint_->optimizer_updates();
  point.tokens_seen = checkpoint_->state.tokens_seen;
  point.log_entries = state.log_history;
  point.totals = state.loss_totals;
  return point;
}

checkpoint::ModelFiles TrainingRun::model_files() const {
  const TrainingPlan& plan = *planned_->plan;
  const checkpoint::FlatValues& flat = trained_->weights();
  checkpoint::ModelFiles files =
      plan.adapters
          ? checkpoint::adapter_files(plan.decoder, *planned_->lora, planned_->source.named,
                                      *plan.layout, flat)
          : checkpoint::full_model_files(
                plan.decoder, plan.base_size, *plan.layout, flat, planned_->weight_files(),
                {planned_->source.config, planned_->source.generation_config}, flat.dtype());
  files.add(planned_->data->tokenizer.files());
  return files;
}

checkpoint::RunFacts TrainingRun::facts() const {
  checkpoint::RunFacts facts;
  facts.seed = settings().training.seed;
  facts.data_seed = settings().training.data_seed.value_or(facts.seed);
  facts.micro_step_tokens = planned_->plan->micro_steps.tokens_wanted;
  const data::EncodedDataset& dataset = planned_->data->training.dataset;
  facts.records = dataset.records();
  facts.data_fingerprint = checkpoint::fingerprint_of(dataset);
  for (const char* name : kBitSettings) {
    facts.settings.emplace_back(name, setting_text(settings(), name));
  }
  facts.settings.emplace_back(
      "ranks", std::to_string(environment_.ranks == nullptr ? 1 : environment_.ranks->ranks()));
  return facts;
}

// A run that was killed between its last checkpoint and the end of write_results has no step left,
// but results to write: the file that comes last says whether they are there.
bool TrainingRun::is_complete() const {
  if (!checkpoint_) return false;
  const std::int64_t total = planned_->plan->schedule->total_steps();
  if (checkpoint_->step() != total) return checkpoint_->step() > total;
  const fs::path last = folder_ / kLastResult;
  if (!fs::exists(last)) return false;
  try {
    const std::string text = formats::read_whole_file(last, formats::kMaxJsonFileBytes);
    return report::parse_trainer_state(text, last.string()).global_step >= total;
  } catch (const UserError&) {
    return false;  // whatever is there will be replaced
  }
}

RunOutcome TrainingRun::run() {
  RunOutcome outcome;
  if (agreed("complete", [this] { return is_complete(); })) {
    outcome = nothing_left();
  } else {
    planned_->refuse_if_too_large();
    take_memory();
    trained_ = std::make_unique<TrainedState>(*planned_);
    trained_->fill(checkpoint_);
    planned_->plan->on_disk.set_all_aside();
    outcome = train_and_save();
  }
  if (environment_.ranks != nullptr) environment_.ranks->finish();
  return outcome;
}

RunOutcome TrainingRun::nothing_left() const {
  RunOutcome outcome;
  outcome.nothing_left = true;
  outcome.step = checkpoint_->step();
  outcome.lines.push_back(fmt::format(
      "nothing left to train: {} is at step {} of {}; raise max_steps or num_train_epochs to go "
      "on, or set overwrite_output_dir to start anew",
      checkpoint_->folder.string(), checkpoint_->step(), planned_->plan->schedule->total_steps()));
  return outcome;
}

train::LoopOptions TrainingRun::options() const {
  const TrainingPlan& plan = *planned_->plan;
  const ParameterRegistry& registry = plan.decoder.registry;
  train::LoopOptions options = loop_options(settings(), plan.schedule->total_steps());
  options.micro_step_tokens = plan.micro_steps.tokens_wanted;
  options.evaluation.micro_step_tokens = plan.micro_steps.tokens_wanted;
  options.trainable_parameters = registry.trainable_elements();
  options.all_parameters = registry.elements();
  options.flops_parameters =
      registry.elements() - registry.at(plan.decoder.embedding).shape.elements();
  if (environment_.ranks != nullptr) options.rank_places = environment_.ranks->places();
  return options;
}

checkpoint::FolderSaverOptions TrainingRun::saver_options() const {
  return {.output_dir = folder_,
          .total_limit = settings().training.save_total_limit,
          .only_model = settings().training.save_only_model,
          .facts = facts(),
          .replaced = output_->replaced()};
}

RunOutcome TrainingRun::train_and_save() {
  TrainingPlan& plan = *planned_->plan;
  const train::LoopOptions loop_options = options();
  report::ListenerList listeners;
  listeners.add(environment_.console);
  std::optional<RunReports> reports;
  if (is_writer()) {
    reports.emplace(read_,
                    RunReportsOptions{.output_dir = folder_,
                                      .resumed = checkpoint_.has_value(),
                                      .report_tokens = loop_options.report_tokens,
                                      .model = &planned_->source.config,
                                      .summary = planned_->summary()},
                    system_, environment_.log);
    reports->add_to(listeners);
  }
  report::LogHistory history(log_cadence(settings(), plan.schedule->total_steps()),
                             loop_options.report_tokens, listeners);
  std::optional<checkpoint::FolderSaver> folder_saver;
  if (is_writer()) {
    folder_saver.emplace(system_, saver_options(), model_files(), plan.decoder.registry,
                         *plan.layout, trained_->optimizer(), environment_.log);
    // A run that was killed within its last save saves no more.
    if (checkpoint_ && checkpoint_->step() == plan.schedule->total_steps() &&
        checkpoint_->folder.parent_path() == folder_) {
      folder_saver->remove_old(checkpoint_->folder);
    }
  }
  RankedSaver saver(*trained_, folder_, folder_saver ? &*folder_saver : nullptr);

  const bool dropout = plan.adapters && plan.adapters->dropout_probability() > 0.0;
  train::BatchFeed feed(planned_->data->training.dataset, plan.micro_steps.capacity, dropout);
  train::LoopData data{planned_->data->training.dataset, feed, planned_->data->training.origins,
                       planned_->data->files};
  std::deque<train::BatchFeed> feeds;
  for (const data::NamedRecords& part : planned_->data->evaluations) {
    const data::EncodedDataset& dataset = part.records.dataset;
    train::BatchFeed& of_part = feeds.emplace_back(dataset, plan.micro_steps.capacity, false);
    data.evaluations.push_back({metric_prefix(part), &dataset, &of_part});
  }
  const losses::CrossEntropy loss;
  std::optional<train::OneRank> one_rank;
  if (!plan.ranked) {
    one_rank.emplace(plan.decoder.registry, *plan.layout, plan.weights->trainable(),
                     *plan.gradients, *plan.optimizer);
  }
  train::StepRanks& ranks = plan.ranked ? static_cast<train::StepRanks&>(*plan.ranked) : *one_rank;
  const train::TrainingState state{plan.decoder, ranks, *walk_, loss, ops_};
  train::TrainingLoop loop(loop_options, *plan.schedule, data, state, plan.parameters(), history,
                           &saver, environment_.stop_requested);
  RunOutcome outcome = finish(loop, history);
  if (!reports) return outcome;
  for (std::string& line : reports->lines()) outcome.lines.push_back(std::move(line));
  return outcome;
}

RunOutcome TrainingRun::finish(train::TrainingLoop& loop, const report::LogHistory& history) {
  std::optional<report::Roof> roof;
  if (settings().machine.profile) {
    roof = measure_roof(*ops_.table, *planned_->machine.device);
    ops_.profile = &profile_;
  }
  const train::LoopResult result = loop.run(resume_point());
  RunOutcome outcome;
  outcome.step = result.step;
  outcome.interrupted = result.interrupted;
  if (roof) {
    outcome.lines.push_back(report::profile_table(profile_.rows(), result.seconds, *roof));
  }
  if (result.interrupted) {
    outcome.lines.push_back(fmt::format(
        "stopped after step {} of {}, and saved; to go on, give the same command again (without "
        "overwrite_output_dir)",
        result.step, planned_->plan->schedule->total_steps()));
  } else {
    write_results(loop, result, history, outcome);
  }
  return outcome;
}

void TrainingRun::write_text(const std::string& name, const std::string& text) {
  if (is_writer()) formats::write_whole_file(system_, folder_ / name, text);
}

void TrainingRun::write_results(train::TrainingLoop& loop, const train::LoopResult& result,
                                const report::LogHistory& history, RunOutcome& outcome) {
  trained_->save([&] { checkpoint::save_final_model(system_, folder_, model_files()); });
  outcome.lines.push_back(fmt::format(
      "the {} lies in {}", planned_->plan->adapters ? "adapter" : "model", folder_.string()));
  write_split("train", result.metrics, result.epoch);
  // As LLaMA-Factory has it: without the evaluation below.
  const std::string state = report::trainer_state_text(loop.trainer_state(true));
  if (settings().finetuning.plot_loss && is_writer()) {
    report::write_plots(history.entries(), report::plot_keys(history.entries()),
                        settings().training.output_dir, system_, environment_.log);
  }
  report::Metrics evaluation;
  if (settings().training.do_eval) {
    evaluation = loop.evaluate();
    if (settings().finetuning.stage == config::Stage::pt) train::add_perplexities(evaluation);
    write_split("eval", evaluation, result.epoch);
    outcome.lines.push_back(report::metrics_block("eval", evaluation, result.epoch));
  }
  write_text("README.md", model_card(evaluation));
  write_text(kLastResult, state);
}

void TrainingRun::write_split(const std::string& split, const report::Metrics& metrics,
                              double epoch) {
  if (!is_writer()) return;
  assemble::write_results(system_, folder_, split, metrics, epoch, environment_.log);
}

std::string TrainingRun::model_card(const report::Metrics& evaluation) const {
  checkpoint::ModelCard card;
  card.title = folder_.filename().string();
  card.base_model = planned_->source.named;
  card.datasets = settings().data.dataset;
  card.adapter = planned_->plan->adapters.has_value();
  card.finetuning_type = card.adapter ? "lora" : "full";
  for (const report::Metric& metric : evaluation) {
    if (!report::is_number(metric.value)) continue;
    card.evaluation.emplace_back(metric.key, report::number_text(report::to_number(metric.value)));
  }
  for (const char* name :
       {"learning_rate", "per_device_train_batch_size", "per_device_eval_batch_size", "seed",
        "gradient_accumulation_steps", "optim", "lr_scheduler_type", "warmup_steps",
        "num_train_epochs", "max_steps"}) {
    card.hyperparameters.emplace_back(name, setting_text(settings(), name));
  }
  card.version = std::string(version());
  return checkpoint::model_card_text(card);
}

}  // namespace hone::assemble
