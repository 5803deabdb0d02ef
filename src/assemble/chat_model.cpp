#include "assemble/chat_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "assemble/program_memory.h"
#include "assemble/scratch_survey.h"
#include "base/error.h"
#include "report/units.h"

namespace hone::assemble {
namespace {

using report::bytes_text;
using report::count_text;

// A context shorter than this holds no conversation.
constexpr std::int64_t kLeastContextTokens = 256;

// Memory for one more token of context: its row of the cache and of the rotary tables.
std::size_t context_bytes_per_token(const model::ModelDescription& model) {
  return generate::KeyValueCache::bytes_per_token(model) +
         static_cast<std::size_t>(model.head_width) * sizeof(float);
}

model::WeightPolicy weight_policy_of(const config::Settings& settings, const Machine& machine) {
  model::WeightPolicy policy;
  policy.map_frozen = machine.maps_files();
  policy.frozen_as_bf16 = settings.model.infer_dtype == config::InferType::bfloat16;
  return policy;
}

}  // namespace

ChatModel::ChatModel(const config::Settings& settings, ModelSource source, LogSink& log)
    : settings_(settings),
      machine_(open_wanted_machine(settings, log)),
      model_(std::move(source), settings.model.adapter_name_or_path,
             weight_policy_of(settings, machine_), log) {
  settle(log);
}

void ChatModel::build(std::int64_t context_tokens) {
  plan_ = Plan();
  plan_.add({"program and tokenizer", Category::program, program_bytes_, Lifetime::run, true});
  work_buffers_ = BufferList();
  cache_ = std::make_unique<generate::KeyValueCache>(description(), context_tokens);
  const std::int64_t chunk = std::min(generate::kChunkTokens, context_tokens);
  buffers_ = std::make_unique<model::PassBuffers>(model_.decoder(), model_.adapters(),
                                                  generate::session_capacity(*cache_, chunk),
                                                  model::PassOptions{.training = false});
  const Survey survey =
      survey_session(model_.decoder(), model_.adapters(), model_.layout(), model_.weights(),
                     *buffers_, *cache_, *machine_.table, machine_.device->properties().threads);
  work_buffers_.add(ops_.scratch, "kernels' working space", Category::scratch, DType::u8,
                    {static_cast<std::int64_t>(std::max<std::size_t>(survey.scratch_bytes, 1))});
  model_.describe(plan_);
  cache_->buffers().describe(plan_);
  buffers_->list.describe(plan_);
  work_buffers_.describe(plan_);
}

void ChatModel::settle(LogSink& log) {
  program_bytes_ = program_bytes();
  const std::size_t usable = usable_bytes(settings_, *machine_.device);
  const std::int64_t wanted = description().max_positions;
  build(wanted);
  if (plan_.total_bytes() <= usable) return;
  // Every row of the cache and of the tables may be rounded up by a page.
  const auto rows = static_cast<std::size_t>(2 * description().blocks + 2);
  const std::size_t excess = plan_.total_bytes() - usable + rows * Plan::kAlignmentBytes;
  const auto dropped =
      static_cast<std::int64_t>(excess / context_bytes_per_token(description())) + 1;
  const std::int64_t possible = wanted - dropped;
  if (possible < std::min(kLeastContextTokens, wanted)) {
    throw UserError(
        {fmt::format("memory: {} to generate with this model and {} tokens of context",
                     bytes_text(plan_.total_bytes()), count_text(wanted)),
         fmt::format("{} ({})", bytes_text(usable), limit_source(settings_)),
         "free memory, or set infer_dtype: bfloat16 if the weights are stored wider, or "
         "take a smaller model"});
  }
  build(possible);
  log.warning(fmt::format(
      "the context is limited to {} tokens, of {} that the model can: {} are there ({})",
      count_text(possible), count_text(wanted), bytes_text(usable), limit_source(settings_)));
}

std::vector<std::string> ChatModel::summary() const {
  std::vector<std::string> lines = {"device: " + machine_.summary()};
  for (std::string& line : model_.summary()) lines.push_back(std::move(line));
  std::string parts;
  for (const Category category :
       {Category::weights, Category::master_weights, Category::key_value_cache, Category::head,
        Category::scratch, Category::program}) {
    const std::size_t bytes = plan_.bytes_of(category);
    if (bytes == 0) continue;
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ",
                         category == Category::master_weights ? "adapter" : name(category),
                         bytes_text(bytes));
  }
  lines.push_back(fmt::format("memory: {} when all {} tokens of context are in use ({})",
                              bytes_text(plan_.total_bytes()), count_text(context_tokens()),
                              parts));
  return lines;
}

void ChatModel::load() {
  arena_ = std::make_unique<Arena>(*machine_.device, plan_);
  model_.load(*arena_, machine_.device->properties().threads);
  cache_->buffers().bind(*arena_);
  buffers_->list.bind(*arena_);
  work_buffers_.bind(*arena_);
  ops_.table = machine_.table;
  ops_.device = machine_.device.get();
  ops_.threads = machine_.device->properties().threads;
  session_ = std::make_unique<generate::DecoderSession>(
      model_.decoder(), *buffers_, *cache_, model_.parameters(), model_.adapters(), ops_);
  session_->prepare();
}

}  // namespace hone::assemble
