#include "assemble/planned_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "assemble/program_memory.h"
#include "assemble/scratch_survey.h"
#include "assemble/settings_options.h"
#include "base/error.h"
#include "report/plan_table.h"
#include "report/units.h"

namespace hone::assemble {
namespace {

using report::bytes_text;
using report::count_text;

}  // namespace

PlannedEvaluation::PlannedEvaluation(const config::ReadResult& read,
                                     const std::filesystem::path& data_cache, LogSink& log)
    : read_(read) {
  machine = open_wanted_machine(settings(), log);
  FaultList faults;
  std::optional<ModelSource> source;
  try {
    source.emplace(open_model(settings()));
  } catch (const UserError& error) {
    faults.add(error);
    check_dataset_names(settings(), faults);
  }
  faults.throw_if_any();
  try {
    data.emplace(load_evaluation_data(settings(), source->tokenizer(),
                                      source->description.vocabulary,
                                      machine.device->properties().threads, data_cache, log));
  } catch (const UserError& error) {
    faults.add(error);
  }
  try {
    model = std::make_unique<FrozenModel>(*std::move(source), settings().model.adapter_name_or_path,
                                          weight_policy(settings(), machine), log);
  } catch (const UserError& error) {
    faults.add(error);
  }
  faults.throw_if_any();
  say_if_no_adapter(log);
  settle();
}

// A configuration that trained an adapter, run again to evaluate, may mean that adapter.
void PlannedEvaluation::say_if_no_adapter(LogSink& log) const {
  const bool lora = settings().finetuning.finetuning_type == config::FinetuningType::lora;
  if (!lora || model->adapters() != nullptr) return;
  const std::string& folder = settings().training.output_dir;
  const bool one_is_near =
      std::filesystem::exists(std::filesystem::path(folder) / "adapter_config.json");
  const std::string said =
      "the base model alone is evaluated, as adapter_name_or_path names no adapter";
  if (one_is_near) {
    log.warning(said + "; there is one in " + folder);
  } else {
    log.info(said);
  }
}

void PlannedEvaluation::build(std::int64_t micro_step_tokens) {
  options = {settings().training.per_device_eval_batch_size, micro_step_tokens};
  capacity = {};
  for (const data::NamedRecords& set : data->sets) {
    capacity.cover(train::evaluation_capacity(set.records.dataset.sizes(), options));
  }
  plan = Plan();
  plan.add(
      {"program, tokenizer and records", Category::program, program_bytes_, Lifetime::run, true});
  work_buffers = BufferList();
  const model::PassCapacity pass = {capacity.tokens, capacity.labels, longest_tokens()};
  buffers = std::make_unique<model::PassBuffers>(model->decoder(), model->adapters(), pass,
                                                 model::PassOptions{.training = false});
  const Survey survey =
      survey_walk(model->decoder(), model->adapters(), model->layout(), model->weights(), *buffers,
                  *machine.table, machine.device->properties().threads);
  work_buffers.add(kernel_scratch, "kernels' working space", Category::scratch, DType::u8,
                   {static_cast<std::int64_t>(std::max<std::size_t>(survey.scratch_bytes, 1))});
  model->describe(plan);
  buffers->list.describe(plan);
  work_buffers.describe(plan);
}

void PlannedEvaluation::settle() {
  program_bytes_ = program_bytes();
  memory_bytes = usable_bytes(settings(), *machine.device);
  const std::int64_t smallest = longest_tokens();
  const std::optional<std::int64_t>& asked = settings().machine.micro_step_tokens;
  std::int64_t tokens =
      std::max(asked.value_or(train::EvaluationOptions().micro_step_tokens), smallest);
  build(tokens);
  // What happens to be free must not decide how records are computed together.
  const bool may_shrink = settings().machine.memory_limit_bytes.has_value() && !asked;
  while (may_shrink && !fits() && tokens > smallest) {
    tokens = std::max(tokens / 2, smallest);
    build(tokens);
  }
}

std::int64_t PlannedEvaluation::records() const {
  std::int64_t count = 0;
  for (const data::NamedRecords& set : data->sets) count += set.records.dataset.records();
  return count;
}

std::int64_t PlannedEvaluation::longest_tokens() const {
  std::int64_t longest = 0;
  for (const data::NamedRecords& set : data->sets) {
    longest = std::max(longest, set.records.dataset.longest_tokens());
  }
  return longest;
}

std::vector<std::string> PlannedEvaluation::summary() const {
  std::vector<std::string> lines = {"device: " + machine.summary()};
  for (std::string& line : model->summary()) lines.push_back(std::move(line));
  for (const data::NamedRecords& set : data->sets) {
    const data::EncodedDataset& dataset = set.records.dataset;
    lines.push_back(fmt::format(
        "{} alone, nothing is trained: {} records, {} tokens, {} of them labels, the longest "
        "record {}",
        evaluation_title(set), count_text(dataset.records()), count_text(dataset.total_tokens()),
        count_text(dataset.total_counted_labels()), count_text(dataset.longest_tokens())));
  }
  lines.push_back(fmt::format("micro-steps: up to {} tokens at once (micro_step_tokens {})",
                              count_text(capacity.tokens), count_text(options.micro_step_tokens)));
  return lines;
}

std::vector<std::string> PlannedEvaluation::remedies() const {
  std::vector<std::string> lines;
  if (settings().machine.memory_limit_bytes) {
    lines.push_back(fmt::format("memory_limit: {}", bytes_text(plan.total_bytes())));
  }
  const bool wide =
      plan.bytes_of(Category::weights) >
      static_cast<std::size_t>(model->decoder().registry.elements()) * sizeof(float) / 4 * 3;
  if (wide) lines.push_back("bf16: true  (weights take half)");
  lines.push_back("a smaller cutoff_len or micro_step_tokens");
  lines.push_back("a smaller model, or a machine with more memory");
  return lines;
}

std::string PlannedEvaluation::memory_table() const {
  std::vector<report::PlanLine> lines;
  for (const Category category :
       {Category::weights, Category::master_weights, Category::activations, Category::head,
        Category::scratch, Category::program}) {
    const std::size_t bytes = plan.bytes_of(category);
    if (bytes == 0) continue;
    const bool adapter = category == Category::master_weights;
    lines.push_back({adapter ? "adapter" : std::string(name(category)), bytes, ""});
  }
  return report::plan_table(lines, {.fits = fits(),
                                    .limit_bytes = memory_bytes,
                                    .limit_source = limit_source(settings()),
                                    .remedies = fits() ? std::vector<std::string>{} : remedies()});
}

void PlannedEvaluation::refuse_if_too_large() const {
  if (fits()) return;
  std::string remedy;
  for (const std::string& line : remedies()) remedy += (remedy.empty() ? "" : "; or ") + line;
  throw UserError({fmt::format("memory: {} for this evaluation", bytes_text(plan.total_bytes())),
                   fmt::format("{} ({})", bytes_text(memory_bytes), limit_source(settings())),
                   remedy});
}

}  // namespace hone::assemble
