#include "assemble/planned_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "assemble/program_memory.h"
#include "assemble/settings_options.h"
#include "base/error.h"
#include "checkpoint/run_facts.h"
#include "parallel/collectives/in_process.h"
#include "report/plan_table.h"
#include "report/units.h"

namespace hone::assemble {
namespace {

using report::bytes_text;
using report::count_text;

// LLaMA-Factory's examples ask for years; ten of them fit any clock.
constexpr std::int64_t kLongestTimeoutSeconds = std::int64_t{10} * 365 * 24 * 3600;

std::string share_of(std::int64_t part, std::int64_t whole) {
  return fmt::format("{:.4f} %", 100.0 * static_cast<double>(part) /
                                     static_cast<double>(std::max<std::int64_t>(whole, 1)));
}

}  // namespace

PlannedRun::PlannedRun(const config::ReadResult& read, const PlanningOptions& options, LogSink& log)
    : read_(read), log_(log), ranks_(options.ranks) {
  machine = options.open_machine(settings(), log);
  FaultList faults;
  try {
    source = open_model(settings(), {.weights_optional = options.weights_optional});
  } catch (const UserError& error) {
    faults.add(error);
  }
  check_offload(faults);
  open_data(options, faults);
  faults.throw_if_any();
  decoder = std::make_unique<model::Decoder>(source.description);
  open_weights();
  if (settings().finetuning.finetuning_type == config::FinetuningType::lora) open_adapters();
  settle();
  plan->on_disk.check();
}

void PlannedRun::check_offload(FaultList& faults) const {
  const config::ZeroOptions& zero = settings().zero;
  const bool elsewhere = zero.optimizer.to != config::OffloadTo::device ||
                         zero.parameters.to != config::OffloadTo::device;
  if (!elsewhere || machine.device->properties().kind != DeviceKind::gpu) return;
  faults.add({fmt::format("{}: {}", zero.source, config::to_text(zero)),
              "a run on a GPU, which keeps all of the model's state in its own memory",
              "leave the offload out, or set device: cpu"});
}

void PlannedRun::settle() {
  RankPlace place;
  if (ranks_ != nullptr) {
    place.transport = &ranks_->transport();
    place.stage = static_cast<parallel::Stage>(settings().zero.stage);
    place.limit =
        std::chrono::seconds(std::min(settings().training.ddp_timeout, kLongestTimeoutSeconds));
  } else if (settings().zero.parameters.to == config::OffloadTo::disk) {
    // Units are gathered from files also where nobody else has a part of them.
    alone_ = parallel::InProcessGroup(1).join(0);
    place.transport = alone_.get();
    place.stage = parallel::Stage::parameters;
  }
  plan = std::make_unique<TrainingPlan>(settings(), *decoder, lora, machine, place);
  if (ranks_ == nullptr) {
    plan->settle(weight_files(), data_sizes(), memory_bytes());
    return;
  }
  compare_data();
  // Ranks must cut alike, whatever memory each has: rank 0's choice is everybody's.
  const std::string choice = ranks_->share("plan", [&] {
    plan->settle(weight_files(), data_sizes(), memory_bytes());
    return fmt::format("{} {}", plan->micro_steps.tokens_wanted, plan->recomputed_blocks);
  });
  if (ranks_->rank() == 0) return;
  PlanChoice given;
  std::istringstream(choice) >> given.micro_step_tokens >> given.recomputed_blocks;
  plan->settle(weight_files(), data_sizes(), memory_bytes(), given);
}

void PlannedRun::compare_data() const {
  const data::EncodedDataset& dataset = data->training.dataset;
  parallel::RankFacts facts = {
      {"the number of training records", std::to_string(dataset.records())},
      {"the training records' content", checkpoint::fingerprint_of(dataset)},
      {"the number of weights", std::to_string(decoder->registry.elements())}};
  for (const data::NamedRecords& part : data->evaluations) {
    facts.emplace_back(fmt::format("the {} records' content", evaluation_title(part)),
                       checkpoint::fingerprint_of(part.records.dataset));
  }
  ranks_->compare("data", facts);
}

// Ranks of one machine share what it has free; a stated limit is each rank's own.
std::size_t PlannedRun::memory_bytes() const {
  const std::size_t bytes = usable_bytes(settings(), *machine.device);
  const bool shared = ranks_ != nullptr && !settings().machine.memory_limit_bytes;
  return shared ? bytes / static_cast<std::size_t>(ranks_->member().local_ranks) : bytes;
}

std::string PlannedRun::memory_source() const {
  const std::string whole = limit_source(settings());
  const bool shared = ranks_ != nullptr && !settings().machine.memory_limit_bytes;
  return shared ? fmt::format("{}, of which {} ranks take a part each", whole,
                              ranks_->member().local_ranks)
                : whole;
}

void PlannedRun::open_weights() {
  if (!source.weights) {
    promised = model::promise_weights(decoder->registry, source.promised_dtype(),
                                      (source.path / "config.json").string());
    return;
  }
  for (const std::string& name :
       model::check_weights(decoder->registry, decoder->registry.size(), *source.weights)) {
    if (name == "lm_head.weight" || name.find("rotary_emb.inv_freq") != std::string::npos) {
      continue;  // a tied head saved twice, or a table that is computed
    }
    log_.warning("tensor '" + name + "' in " + source.weights->source() +
                 " is not part of this kind of model and is not used");
  }
}

void PlannedRun::open_adapters() {
  std::vector<std::string> paths = settings().model.adapter_name_or_path;
  if (!paths.empty() && !settings().finetuning.create_new_adapter) {
    continued.emplace(paths.back());
    paths.pop_back();
  }
  for (const std::string& path : paths) {
    model::PeftAdapter adapter(path);
    for (const std::string& note : adapter.notes()) log_.info(note);
    merged.push_back(model::merge_adapter(weight_files(), std::move(adapter), source.description));
  }
  if (!paths.empty()) {
    log_.info(fmt::format("merged {} {} into the base", paths.size(),
                          paths.size() == 1 ? "adapter" : "adapters"));
  }
  if (settings().finetuning.pure_bf16) {
    log_.warning("pure_bf16: adapters are trained in f32 all the same; frozen weights are bf16");
  }
  lora = lora_options(settings());
  if (!continued) return;
  for (const std::string& note : continued->notes()) log_.info(note);
  const model::LoraOptions own = continued->options_for(*decoder);
  log_.info("training goes on with the adapter " + continued->folder().string());
  if (read_.origins.count("lora_rank") > 0 && own.rank != lora->rank) {
    log_.warning(
        fmt::format("lora_rank: {} is not used, the adapter has rank {}", lora->rank, own.rank));
  }
  lora = own;
}

void PlannedRun::open_data(const PlanningOptions& options, FaultList& faults) {
  if (options.weights_optional && faults.empty() && !source.has_tokenizer()) return;
  if (!faults.empty()) {
    // Without a model there is no tokenizer; what is wrong with the data is still worth saying.
    check_dataset_names(settings(), faults);
    return;
  }
  const auto load = [&] {
    data.emplace(load_training_data(settings(), source.tokenizer(), source.description.vocabulary,
                                    machine.device->properties().threads, options.data_cache, log_,
                                    ranks_ == nullptr ? 1 : ranks_->ranks()));
  };
  try {
    if (ranks_ == nullptr) {
      load();
    } else {
      // The first rank of each machine encodes; the others find it in the cache.
      ranks_->first_of_machine_first("data", load);
    }
  } catch (const UserError& error) {
    faults.add(error);
  }
}

DataSizes PlannedRun::data_sizes() const {
  DataSizes sizes;
  if (data) {
    sizes.training = data->training.dataset.sizes();
    for (const data::NamedRecords& part : data->evaluations) {
      sizes.evaluations.push_back(part.records.dataset.sizes());
    }
    return sizes;
  }
  sizes.known = false;
  const std::int64_t length = settings().data.cutoff_len;
  const std::int64_t records =
      settings().data.max_samples.value_or(settings().training.per_device_train_batch_size *
                                           settings().training.gradient_accumulation_steps);
  sizes.training.assign(static_cast<std::size_t>(std::max<std::int64_t>(records, 1)),
                        {length, length, length - 1});
  return sizes;
}

std::vector<std::string> PlannedRun::summary() const {
  const model::ModelDescription& model = source.description;
  const ParameterRegistry& registry = decoder->registry;
  const std::int64_t trainable = registry.trainable_elements();
  std::vector<std::string> lines;
  lines.push_back("device: " + machine.summary());
  if (ranks_ != nullptr) {
    lines.push_back(ranks_->summary() + "; threads and memory below are of one rank");
  }
  lines.push_back(
      fmt::format("model: {} ({}), {} blocks of width {}, {} heads over {} of keys, vocabulary {}",
                  source.path.string(), model.architecture, model.blocks, model.hidden, model.heads,
                  model.kv_heads, count_text(model.vocabulary)));
  lines.push_back(fmt::format(
      "training: {}, trainable params: {} || all params: {} || trainable%: {}",
      plan->adapters ? fmt::format("LoRA on {} layers", plan->adapters->adapters().size())
                     : std::string("every weight"),
      count_text(trainable), count_text(registry.elements()),
      share_of(trainable, registry.elements())));
  const data::Schedule& schedule = *plan->schedule;
  if (data) {
    const data::EncodedDataset& dataset = data->training.dataset;
    lines.push_back(fmt::format(
        "data: {} records, {} tokens, {} of them labels, the longest record {}",
        count_text(dataset.records()), count_text(dataset.total_tokens()),
        count_text(dataset.total_counted_labels()), count_text(dataset.longest_tokens())));
    for (const data::NamedRecords& part : data->evaluations) {
      lines.push_back(fmt::format("{}: {} records, {} tokens", evaluation_title(part),
                                  count_text(part.records.dataset.records()),
                                  count_text(part.records.dataset.total_tokens())));
    }
  } else {
    lines.push_back(
        fmt::format("data: not read, as there is no tokenizer: cutoff_len, {} tokens, was taken "
                    "for every record",
                    count_text(settings().data.cutoff_len)));
  }
  if (data) {
    const data::ScheduleOptions& cut = schedule.options();
    const std::string batch =
        ranks_ == nullptr ? std::string()
                          : fmt::format("; {} records each ({} x {} accumulated x {} ranks)",
                                        cut.batch_size * cut.accumulation * cut.ranks,
                                        cut.batch_size, cut.accumulation, cut.ranks);
    lines.push_back(fmt::format("steps: {} updates in {} epochs, {} per epoch{}",
                                schedule.total_steps(), schedule.epochs_begun(),
                                schedule.steps_per_epoch(), batch));
  } else {
    lines.push_back("steps: as many as the records will make");
  }
  lines.push_back(
      fmt::format("micro-steps: up to {} tokens at once (micro_step_tokens {}), {} sequences{}",
                  count_text(plan->micro_steps.capacity.tokens),
                  count_text(plan->micro_steps.tokens_wanted), plan->micro_steps.capacity.sequences,
                  plan->recomputed_blocks > 0
                      ? fmt::format("; {} blocks are recomputed in backward to save memory",
                                    plan->recomputed_blocks)
                      : std::string()));
  for (const std::string& line : plan->on_disk.summary()) lines.push_back(line);
  return lines;
}

std::vector<std::string> PlannedRun::remedies() const {
  std::vector<std::string> lines;
  const bool limited = settings().machine.memory_limit_bytes.has_value();
  if (!limited && plan->least_bytes <= plan->memory_bytes) {
    lines.push_back(
        fmt::format("memory_limit: {}  (recomputes activations and cuts micro-steps until it fits)",
                    bytes_text(plan->memory_bytes)));
    return lines;
  }
  lines.push_back(fmt::format(
      "with the smallest micro-steps and every activation recomputed it would still take {}",
      bytes_text(plan->least_bytes)));
  if (limited) lines.push_back("a memory_limit of that much");
  if (!plan->adapters) lines.push_back("finetuning_type: lora  (no optimizer state for the model)");
  const bool wide = plan->plan.bytes_of(Category::weights) >
                    static_cast<std::size_t>(decoder->registry.elements()) * sizeof(float) / 4 * 3;
  if (wide) lines.push_back("bf16: true  (frozen weights take half)");
  lines.push_back("a smaller model, or a machine with more memory");
  return lines;
}

std::string PlannedRun::memory_table() const {
  std::vector<report::PlanLine> lines;
  for (const Category category :
       {Category::weights, Category::master_weights, Category::gradients, Category::optimizer_state,
        Category::activations, Category::head, Category::scratch, Category::program}) {
    const std::size_t bytes = plan->plan.bytes_of(category);
    if (bytes > 0) lines.push_back({std::string(name(category)), bytes, ""});
  }
  return report::plan_table(lines,
                            {.fits = plan->fits(),
                             .limit_bytes = plan->memory_bytes,
                             .limit_source = memory_source(),
                             .remedies = plan->fits() ? std::vector<std::string>{} : remedies()});
}

void PlannedRun::refuse_if_too_large() const {
  if (plan->fits()) return;
  std::string remedy;
  for (const std::string& line : remedies()) remedy += (remedy.empty() ? "" : "; or ") + line;
  throw UserError({fmt::format("memory: {} for this run", bytes_text(plan->plan.total_bytes())),
                   fmt::format("{} ({})", bytes_text(plan->memory_bytes), memory_source()),
                   remedy});
}

}  // namespace hone::assemble
