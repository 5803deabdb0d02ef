#include "assemble/machine_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "assemble/absent_device.h"
#include "assemble/absent_ranks.h"
#include "assemble/settings_options.h"
#include "base/error.h"
#include "report/plan_table.h"
#include "report/text_table.h"
#include "report/units.h"

namespace hone::assemble {
namespace {

using config::OffloadTo;
using config::ZeroStage;
using report::bytes_text;
using report::count_text;

constexpr std::array kCategories = {
    Category::weights,     Category::master_weights, Category::gradients, Category::optimizer_state,
    Category::activations, Category::head,           Category::scratch,   Category::program};

const char* place_word(OffloadTo to) {
  switch (to) {
    case OffloadTo::device:
      return "device";
    case OffloadTo::host:
      return "the host's memory";
    case OffloadTo::disk:
      return "files on disk";
  }
  return "";
}

std::string offload_text(const Sharing& sharing) {
  std::string text;
  const auto add = [&](const char* what, OffloadTo to) {
    if (to == OffloadTo::device) return;
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", what,
                        to == OffloadTo::disk ? " to disk" : "");
  };
  add("optimizer", sharing.optimizer);
  add("weights", sharing.parameters);
  return text.empty() ? "none" : text;
}

// Moves bytes off the device, all but the window.
void move(RankMemory::Part& part, std::size_t bytes) {
  const std::size_t moved = bytes - std::min(bytes, kOffloadWindowBytes);
  part.device_bytes -= moved;
  part.moved_bytes += moved;
}

std::int64_t owned_elements(const TrainingPlan& plan) {
  return plan.ranked ? plan.ranked->map().owned_elements(0) : plan.layout->elements();
}

std::vector<RankMemory::Part> parts_of(const TrainingPlan& plan, const Sharing& sharing,
                                       const config::Settings& settings, const Machine& machine) {
  const bool cpu = machine.device->properties().kind == DeviceKind::cpu;
  std::vector<RankMemory::Part> parts;
  for (const Category category : kCategories) {
    if (category == Category::program && !cpu) continue;
    // A CPU's memory is the host's; what lies in files is no row of the plan.
    RankMemory::Part part{category, plan.plan.bytes_of(category), plan.on_disk.bytes_of(category)};
    if (category == Category::optimizer_state && !cpu && sharing.optimizer != OffloadTo::device) {
      move(part, part.device_bytes);
    }
    if (category == Category::master_weights && !cpu && sharing.parameters != OffloadTo::device) {
      move(part, static_cast<std::size_t>(owned_elements(plan)) *
                     size_bytes(weight_policy(settings, machine).trainable));
    }
    if (part.device_bytes + part.moved_bytes > 0) parts.push_back(part);
  }
  return parts;
}

}  // namespace

std::size_t RankMemory::device_bytes() const {
  std::size_t sum = 0;
  for (const Part& part : parts) sum += part.device_bytes;
  return sum;
}

std::size_t RankMemory::state_bytes() const {
  std::size_t sum = 0;
  for (const Part& part : parts) {
    const bool state =
        part.category == Category::weights || part.category == Category::master_weights ||
        part.category == Category::gradients || part.category == Category::optimizer_state;
    if (state) sum += part.device_bytes;
  }
  return sum;
}

std::size_t RankMemory::moved_bytes() const {
  std::size_t sum = 0;
  for (const Part& part : parts) sum += part.moved_bytes;
  return sum;
}

MachinePlan::MachinePlan(const config::ReadResult& read)
    : read_(read), settings_(read.settings), device_(named_device(read)) {
  source_ = open_model(settings_, {.weights_optional = true});
  const config::ZeroOptions& zero = settings_.zero;
  asked_ = measure({zero.stage, zero.optimizer.to, zero.parameters.to});
  constexpr auto kHost = OffloadTo::host;
  for (const Sharing& way : {Sharing{ZeroStage::replicated}, Sharing{ZeroStage::optimizer_state},
                             Sharing{ZeroStage::gradients}, Sharing{ZeroStage::gradients, kHost},
                             Sharing{ZeroStage::parameters}, Sharing{ZeroStage::parameters, kHost},
                             Sharing{ZeroStage::parameters, kHost, kHost}}) {
    if (device_.cpu && way.optimizer == kHost) continue;  // the same memory
    ways_.push_back(way == asked_.sharing ? asked_ : measure(way));
  }
}

DataSizes MachinePlan::sizes() const {
  DataSizes sizes;
  sizes.known = false;
  const std::int64_t length = settings_.data.cutoff_len;
  const std::int64_t records = settings_.training.per_device_train_batch_size *
                               settings_.training.gradient_accumulation_steps * device_.ranks();
  sizes.training.assign(static_cast<std::size_t>(std::max<std::int64_t>(records, 1)),
                        {length, length, length - 1});
  return sizes;
}

// What to try, the largest first.
std::vector<std::int64_t> MachinePlan::micro_steps() const {
  const std::int64_t record = settings_.data.cutoff_len;
  if (settings_.machine.micro_step_tokens) {
    return {std::max(*settings_.machine.micro_step_tokens, record)};
  }
  std::vector<std::int64_t> tokens;
  for (std::int64_t each = usual_micro_step_tokens(DeviceKind::gpu); each > record; each /= 2) {
    tokens.push_back(each);
  }
  tokens.push_back(record);
  return tokens;
}

RankMemory MachinePlan::measure(const Sharing& sharing) {
  model::Decoder decoder(source_.description);
  const std::unique_ptr<model::WeightFiles> promised = model::promise_weights(
      decoder.registry, source_.promised_dtype(), (source_.path / "config.json").string());
  config::Settings settings = settings_;
  std::optional<model::LoraOptions> lora;
  if (settings.finetuning.finetuning_type == config::FinetuningType::lora) {
    lora = lora_options(settings);
  }
  AbsentRanks ranks(device_.ranks());
  RankPlace place;
  place.stage = static_cast<parallel::Stage>(sharing.stage);
  if (device_.ranks() > 1 || sharing.parameters != OffloadTo::device) place.transport = &ranks;
  if (!device_.cpu || sharing.optimizer != OffloadTo::disk) settings.zero.optimizer = {};
  if (!device_.cpu || sharing.parameters != OffloadTo::disk) settings.zero.parameters = {};
  settings.machine.memory_limit_bytes = 1;  // so that settle() may save; see below
  const Machine machine = absent_machine(device_.cpu ? DeviceKind::cpu : DeviceKind::gpu);
  TrainingPlan plan(settings, decoder, std::move(lora), machine, place);
  const std::vector<std::int64_t> tries = micro_steps();
  RankMemory memory;
  memory.sharing = sharing;
  const auto note = [&] {
    memory.parts = parts_of(plan, sharing, settings, machine);
    memory.micro_step_tokens = plan.micro_steps.tokens_wanted;
    memory.recomputed_blocks = plan.recomputed_blocks;
    memory.fits = memory.device_bytes() <= device_.usable_bytes();
  };
  // What is moved, and what is no card's, does not change with micro-steps: the plan may take as
  // much more.
  plan.settle(*promised, sizes(), 0, PlanChoice{tries.back(), decoder.description.blocks});
  note();
  memory.least_bytes = memory.device_bytes();
  all_elements_ = decoder.registry.elements();
  trained_elements_ = decoder.registry.trainable_elements();
  if (!memory.fits) return memory;
  const std::size_t elsewhere = plan.plan.total_bytes() - memory.device_bytes();
  for (const std::int64_t tokens : tries) {
    settings.machine.micro_step_tokens = tokens;
    plan.settle(*promised, sizes(), device_.usable_bytes() + elsewhere);
    if (plan.fits()) break;
  }
  note();
  return memory;
}

std::vector<std::string> MachinePlan::summary() const {
  const model::ModelDescription& model = source_.description;
  std::vector<std::string> lines;
  const std::string each = fmt::format("{} x {}, {} each", device_.per_machine, device_.name,
                                       bytes_text(device_.memory_bytes));
  lines.push_back(device_.machines == 1
                      ? fmt::format("devices: {}", each)
                      : fmt::format("devices: {} machines of {}", device_.machines, each));
  lines.push_back(fmt::format("model: {} ({}), {} blocks of width {}, vocabulary {}",
                              source_.path.string(), model.architecture, model.blocks, model.hidden,
                              count_text(model.vocabulary)));
  lines.push_back(fmt::format("training: {} of {} weights", count_text(trained_elements_),
                              count_text(all_elements_)));
  const std::string& source = settings_.zero.source;
  lines.push_back(fmt::format("shared out: ZeRO stage {} over {} {} ({}), offload: {}",
                              static_cast<int>(asked_.sharing.stage), device_.ranks(),
                              device_.ranks() == 1 ? "rank" : "ranks",
                              source.empty() ? "the default" : source,
                              offload_text(asked_.sharing)));
  lines.push_back(fmt::format("records: each is taken to be cutoff_len long, {} tokens",
                              count_text(settings_.data.cutoff_len)));
  lines.push_back(fmt::format("micro-steps: {} tokens at once; {} of {} blocks are recomputed",
                              count_text(asked_.micro_step_tokens), asked_.recomputed_blocks,
                              model.blocks));
  if (!device_.cpu) {
    lines.push_back(
        "numbers: activations are f32; several GPUs in one run are not in this version");
  }
  return lines;
}

std::vector<std::string> MachinePlan::remedies() const {
  std::vector<std::string> lines;
  for (const RankMemory& way : ways_) {
    if (!way.fits) continue;
    lines.push_back(fmt::format("stage {}, offload: {}  (at least {} of one rank)",
                                static_cast<int>(way.sharing.stage), offload_text(way.sharing),
                                bytes_text(way.least_bytes + device_.reserved_bytes)));
  }
  if (settings_.finetuning.finetuning_type == config::FinetuningType::full) {
    if (!settings_.finetuning.pure_bf16) {
      lines.push_back(
          "pure_bf16: true and optim: adamw_bf16  (half the bytes of weights and optimizer state)");
    }
    lines.push_back("finetuning_type: lora  (no optimizer state for the model)");
  } else if (settings_.training.compute_type != config::ComputeType::bfloat16) {
    lines.push_back("bf16: true  (frozen weights take half)");
  }
  lines.push_back("more devices, or devices with more memory");
  return lines;
}

std::string MachinePlan::memory_table() const {
  std::vector<report::PlanLine> lines;
  for (const RankMemory::Part& part : asked_.parts) {
    const OffloadTo to = part.category == Category::optimizer_state ? asked_.sharing.optimizer
                                                                    : asked_.sharing.parameters;
    lines.push_back(
        {std::string(name(part.category)), part.device_bytes,
         part.moved_bytes == 0
             ? std::string()
             : fmt::format("and {} in {}", bytes_text(part.moved_bytes), place_word(to))});
  }
  if (device_.reserved_bytes > 0) {
    lines.push_back({"reserved", device_.reserved_bytes, "runtime and transport, an estimate"});
  }
  return report::plan_table(
      lines, {.fits = asked_.fits,
              .limit_bytes = device_.memory_bytes,
              .limit_source = device_.cpu ? "a rank's part of this machine" : "one " + device_.name,
              .remedies = asked_.fits ? std::vector<std::string>{} : remedies()});
}

std::string MachinePlan::ways_table() const {
  report::TableRows rows;
  for (const RankMemory& way : ways_) {
    const std::size_t host = way.moved_bytes() * static_cast<std::size_t>(device_.per_machine);
    rows.push_back({std::to_string(static_cast<int>(way.sharing.stage)), offload_text(way.sharing),
                    bytes_text(way.state_bytes()),
                    bytes_text(way.least_bytes + device_.reserved_bytes),
                    bytes_text(way.device_bytes() + device_.reserved_bytes),
                    host == 0 ? "-" : bytes_text(host), count_text(way.micro_step_tokens),
                    std::to_string(way.recomputed_blocks), way.fits ? "yes" : "no"});
  }
  return report::table_text({{"stage"},
                             {"offload to host", report::Align::left},
                             {"model state"},
                             {"at least"},
                             {"planned"},
                             {"host, a machine"},
                             {"micro-step"},
                             {"recomputed"},
                             {"fits"}},
                            rows);
}

}  // namespace hone::assemble
