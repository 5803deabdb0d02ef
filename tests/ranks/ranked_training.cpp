#include "ranks/ranked_training.h"

#include <cstring>

#include "assemble/ranked_step.h"
#include "golden/model_run.h"
#include "kernels/cpu/cpu_table.h"
#include "kit/kit_model.h"
#include "model/adapters/lora_init.h"
#include "optimizers/adamw.h"
#include "parallel/collectives/in_process.h"
#include "train/one_rank.h"

namespace hone::ranks {
namespace {

constexpr std::int64_t kVocabulary = kit::kWideSizes.vocabulary;

// Sequence j of a step: 4 to 9 tokens.
std::vector<std::int32_t> sequence(int step, int j) {
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(4 + (j * 7 + step) % 6));
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    const std::int64_t mixed = 31 * static_cast<std::int64_t>(t) + 17 * j + 101 * step;
    tokens[t] = static_cast<std::int32_t>(mixed % kVocabulary);
  }
  return tokens;
}

double label_count(int step, int sequences) {
  std::size_t count = 0;
  for (int j = 0; j < sequences; ++j) count += sequence(step, j).size();
  return static_cast<double>(count);
}

golden::Pack pack_of(const TrainingOptions& options, int step, int rank, int micro_step) {
  std::vector<std::vector<std::int32_t>> sequences;
  for (int j = rank; j < options.sequences; j += options.ranks) {
    if (j / options.ranks % options.micro_steps == micro_step) {
      sequences.push_back(sequence(step, j));
    }
  }
  return golden::Pack(sequences);
}

model::WeightPolicy policy_of(const TrainingOptions& options) {
  model::WeightPolicy policy;
  policy.trainable = options.weights;
  return policy;
}

// One rank's model.
struct RankModel {
  RankModel(const std::filesystem::path& path, const TrainingOptions& options)
      : run(path, kernels::cpu_table(),
            options.lora ? golden::Train::adapters : golden::Train::everything,
            options.lora ? &*options.lora : nullptr, {}, {64, 64, 64}, policy_of(options)) {
    run.ops.threads = 1;
    if (options.lora) {
      model::initialize_lora(run.decoder.registry, *run.layout, *run.adapters, 7,
                             run.weights->trainable());
    }
  }

  std::vector<optimizers::Segment> segments() const {
    return optimizers::decay_segments(run.decoder.registry, *run.layout, 0.1);
  }

  // The steps, through whatever the ranks are.
  void train(const TrainingOptions& options, ParameterSource& parameters, train::StepRanks& ranks,
             TrainingResult& result, const std::function<void()>& before_last) {
    const layers::AdapterSet* adapters = run.adapters ? &*run.adapters : nullptr;
    model::Walk walk(run.decoder, *run.buffers, parameters, adapters, run.ops);
    walk.prepare();
    walk.set_training(ranks.sink(), 42);
    for (int step = 0; step < kSteps; ++step) {
      if (step + 1 == kSteps) before_last();
      ranks.begin_step(*run.device);
      double sum = 0.0;
      const double scale = 1.0 / label_count(step, options.sequences);
      for (int micro_step = 0; micro_step < options.micro_steps; ++micro_step) {
        ranks.begin_pass(micro_step + 1 == options.micro_steps);
        const golden::Pack pack = pack_of(options, step, ranks.rank(), micro_step);
        sum += walk.train(pack.view(), run.loss, scale);
      }
      result.losses.push_back(ranks.sum(sum) * scale);
      const double norm = ranks.gradient_norm(run.ops);
      result.gradient_norms.push_back(norm);
      ranks.update(run.ops, {.step = step + 1,
                             .learning_rate = kLearningRate,
                             .gradient_scale = std::min(1.0, 1.0 / norm)});
    }
  }

  golden::ModelRun run;
};

std::unique_ptr<optimizers::Optimizer> make_optimizer(std::vector<optimizers::Segment> segments,
                                                      std::int64_t elements) {
  optimizers::AdamWOptions options;
  options.seed = 3;
  return optimizers::make_adamw(options, std::move(segments), elements);
}

std::vector<float> floats_of(const TensorView& flat) {
  std::vector<float> values(static_cast<std::size_t>(flat.elements()));
  model::convert_weight(flat, TensorView(values.data(), DType::f32, flat.shape()));
  return values;
}

TrainingResult train_alone(const std::filesystem::path& path, const TrainingOptions& options) {
  RankModel model(path, options);
  TrainingResult result;
  train::Gradients gradients(model.run.decoder.registry, *model.run.layout);
  const auto optimizer = make_optimizer(model.segments(), model.run.layout->elements());
  Plan plan;
  gradients.describe(plan);
  optimizer->buffers().describe(plan);
  const Arena arena(*model.run.device, plan);
  gradients.bind(arena);
  optimizer->buffers().bind(arena);
  train::OneRank ranks(model.run.decoder.registry, *model.run.layout,
                       model.run.weights->trainable(), gradients, *optimizer);
  model.train(options, model.run.weights->parameters(), ranks, result, [] {});
  result.weights = floats_of(model.run.weights->trainable());
  return result;
}

// The weights of all ranks, where each has its shard.
std::vector<float> gathered(assemble::RankedStep& step, std::int64_t elements) {
  const DType dtype = step.weights().dtype();
  std::vector<std::byte> bytes(static_cast<std::size_t>(elements) * size_bytes(dtype));
  const TensorView whole(bytes.data(), dtype, {elements});
  for (const parallel::FlatRun& run : step.map().owned(step.rank())) {
    const TensorView from = parallel::own_run(step.weights(), false, step.map(), step.rank(), run);
    std::memcpy(whole.slice(run.first, run.elements).raw(), from.raw(), from.bytes());
  }
  step.collectives().all_gather(whole, step.map().parts());
  return floats_of(whole);
}

TrainingResult train_rank(const std::filesystem::path& path, const TrainingOptions& options,
                          parallel::Transport& transport) {
  RankModel model(path, options);
  TrainingResult result;
  const FlatLayout& layout = *model.run.layout;
  std::optional<Arena> arena;
  assemble::RankedStep step(
      {.stage = *options.stage,
       .collectives = {.limit = std::chrono::seconds(60), .staging_bytes = options.staging_bytes},
       .weights = options.weights,
       .tied_embedding = model.run.decoder.description.tied_embeddings},
      transport, model.run.decoder.registry, layout, model.run.weights->parameters(),
      model.segments(), make_optimizer);
  Plan plan;
  step.describe(plan);
  step.bind(arena.emplace(*model.run.device, plan));
  step.set_weights(model.run.weights->trainable());
  if (*options.stage == parallel::Stage::parameters) {
    // Nothing may still be read from where all the weights lay.
    const TensorView& flat = model.run.weights->trainable();
    std::memset(flat.raw(), 0xff, flat.bytes());
  }
  std::int64_t before = 0;
  model.train(options, step.parameters(), step, result,
              [&] { before = step.collectives().counted().bytes; });
  result.bytes_on_wire = step.collectives().counted().bytes - before;
  result.own_elements = step.map().owned_elements(transport.rank());
  result.elements = layout.elements();
  result.optimizer_bytes = plan.bytes_of(Category::optimizer_state);
  result.weights = *options.stage == parallel::Stage::parameters ? gathered(step, layout.elements())
                                                                 : floats_of(step.weights());
  return result;
}

}  // namespace

RankedTraining::RankedTraining(bool tied) {
  kit::ModelOptions options;
  options.tied = tied;
  options.sizes = kit::kWideSizes;
  kit::write_model(model(), options);
}

std::vector<TrainingResult> RankedTraining::run(const TrainingOptions& options) const {
  if (!options.stage) return {train_alone(model(), options)};
  std::vector<TrainingResult> results(static_cast<std::size_t>(options.ranks));
  parallel::run_ranks(options.ranks, [&](parallel::Transport& transport) {
    results[static_cast<std::size_t>(transport.rank())] = train_rank(model(), options, transport);
  });
  return results;
}

}  // namespace hone::ranks
