#include "assemble/chat_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "assemble/program_memory.h"
#include "assemble/scratch_survey.h"
#include "base/error.h"
#include "device/cpu/cpu_device.h"
#include "kernels/cpu/cpu_table.h"
#include "model/adapters/merged_weights.h"
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

}  // namespace

ChatModel::ChatModel(const config::Settings& settings, ModelSource source, LogSink& log)
    : settings_(settings),
      source_(std::move(source)),
      device_(open_cpu_device({static_cast<int>(settings.machine.threads.value_or(0))})),
      decoder_(source_.description),
      base_size_(decoder_.registry.size()) {
  model::check_weights(decoder_.registry, base_size_, *source_.weights);
  open_adapters(log);
  layout_ = std::make_unique<FlatLayout>(decoder_.registry);
  settle(log);
}

void ChatModel::open_adapters(LogSink& log) {
  std::vector<std::string> paths = settings_.model.adapter_name_or_path;
  if (paths.empty()) return;
  attached_.emplace(paths.back());
  paths.pop_back();
  for (const std::string& path : paths) {
    model::PeftAdapter adapter(path);
    for (const std::string& note : adapter.notes()) log.warning(note);
    merged_.push_back(
        model::merge_adapter(weight_files(), std::move(adapter), source_.description));
  }
  for (const std::string& note : attached_->notes()) log.warning(note);
  adapters_ = model::place_lora(decoder_, attached_->options_for(decoder_));
  attached_->check(decoder_.registry);
}

void ChatModel::build(std::int64_t context_tokens) {
  plan_ = Plan();
  plan_.add({"program and tokenizer", Category::program, program_bytes_, Lifetime::run, true});
  work_buffers_ = BufferList();
  model::WeightPolicy policy;
  policy.frozen_as_bf16 = settings_.model.infer_dtype == config::InferType::bfloat16;
  weights_ = std::make_unique<model::ResidentWeights>(decoder_, base_size_, *layout_,
                                                      weight_files(), policy);
  cache_ = std::make_unique<generate::KeyValueCache>(decoder_.description, context_tokens);
  const std::int64_t chunk = std::min(generate::kChunkTokens, context_tokens);
  buffers_ = std::make_unique<model::PassBuffers>(decoder_, adapter_set(),
                                                  generate::session_capacity(*cache_, chunk),
                                                  model::PassOptions{.training = false});
  const Survey survey =
      survey_session(decoder_, adapter_set(), *layout_, *weights_, *buffers_, *cache_,
                     kernels::cpu_table(), device_->properties().threads);
  work_buffers_.add(ops_.scratch, "kernels' working space", Category::scratch, DType::u8,
                    {static_cast<std::int64_t>(std::max<std::size_t>(survey.scratch_bytes, 1))});
  weights_->describe(plan_);
  cache_->buffers().describe(plan_);
  buffers_->list.describe(plan_);
  work_buffers_.describe(plan_);
}

void ChatModel::settle(LogSink& log) {
  program_bytes_ = program_bytes();
  const std::size_t usable = usable_bytes(settings_, *device_);
  const std::int64_t wanted = decoder_.description.max_positions;
  build(wanted);
  if (plan_.total_bytes() <= usable) return;
  // Every row of the cache and of the tables may be rounded up by a page.
  const auto rows = static_cast<std::size_t>(2 * decoder_.description.blocks + 2);
  const std::size_t excess = plan_.total_bytes() - usable + rows * Plan::kAlignmentBytes;
  const auto dropped =
      static_cast<std::int64_t>(excess / context_bytes_per_token(decoder_.description)) + 1;
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
  const model::ModelDescription& model = decoder_.description;
  std::vector<std::string> lines;
  lines.push_back(fmt::format("device: {}, {} threads", device_->properties().name,
                              device_->properties().threads));
  lines.push_back(fmt::format("model: {} ({}), {} blocks of width {}", source_.path.string(),
                              model.architecture, model.blocks, model.hidden));
  const std::vector<std::string>& paths = settings_.model.adapter_name_or_path;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    lines.push_back(fmt::format("adapter: {}{}", paths[i],
                                i + 1 < paths.size() ? ", merged into the model" : ""));
  }
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
  arena_ = std::make_unique<Arena>(*device_, plan_);
  weights_->load(*arena_, device_->properties().threads);
  if (attached_) attached_->load(decoder_.registry, *layout_, weights_->trainable());
  cache_->buffers().bind(*arena_);
  buffers_->list.bind(*arena_);
  work_buffers_.bind(*arena_);
  ops_.table = &kernels::cpu_table();
  ops_.device = device_.get();
  ops_.threads = device_->properties().threads;
  session_ = std::make_unique<generate::DecoderSession>(
      decoder_, *buffers_, *cache_, weights_->parameters(), adapter_set(), ops_);
  session_->prepare();
}

}  // namespace hone::assemble
