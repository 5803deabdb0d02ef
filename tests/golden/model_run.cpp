#include "golden/model_run.h"

#include <algorithm>
#include <numeric>

namespace hone::golden {
namespace {

constexpr std::int64_t kScratchBytes = std::int64_t{64} << 20;

std::unique_ptr<formats::GgufFile> gguf_of(const std::filesystem::path& path) {
  return path.extension() == ".gguf" ? std::make_unique<formats::GgufFile>(path) : nullptr;
}

model::Decoder decoder_of(const std::filesystem::path& path, const formats::GgufFile* gguf) {
  if (gguf != nullptr) {
    return model::Decoder(model::describe_model(model::gguf_config(*gguf), path.string()));
  }
  const std::filesystem::path config = path / "config.json";
  return model::Decoder(model::describe_model(formats::read_json(config), config.string()));
}

std::unique_ptr<model::WeightFiles> weights_of(const std::filesystem::path& path,
                                               const formats::GgufFile* gguf,
                                               const model::Decoder& decoder) {
  return gguf == nullptr ? model::open_safetensors_weights(path)
                         : model::open_gguf_weights(*gguf, decoder.description);
}

}  // namespace

Pack::Pack(const std::vector<std::vector<std::int32_t>>& sequences,
           const std::vector<std::vector<std::int32_t>>& labels) {
  for (std::size_t s = 0; s < sequences.size(); ++s) {
    const auto first = static_cast<std::int32_t>(tokens.size());
    for (std::size_t t = 0; t < sequences[s].size(); ++t) {
      tokens.push_back(sequences[s][t]);
      positions.push_back(static_cast<std::int32_t>(t));
      const std::int32_t label = labels.empty() ? sequences[s][t] : labels[s][t];
      if (!labels.empty() && label < 0) continue;
      ++counted_labels;
      if (t == 0) continue;
      rows.push_back(first + static_cast<std::int32_t>(t) - 1);
      targets.push_back(label);
      weights.push_back(1.0f);
    }
    starts.push_back(static_cast<std::int32_t>(tokens.size()));
    lengths.push_back(static_cast<std::int32_t>(sequences[s].size()));
  }
  order.resize(tokens.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return tokens[static_cast<std::size_t>(a)] < tokens[static_cast<std::size_t>(b)];
  });
}

model::BatchView Pack::view() const {
  return {.tokens = tokens,
          .positions = positions,
          .query_starts = starts,
          .query_lengths = lengths,
          .order_by_token = order,
          .label_rows = rows,
          .labels = targets,
          .label_weights = weights,
          .dropout_keys = {}};
}

ModelRun::ModelRun(const std::filesystem::path& path, const ops::OpTable& table, Train train,
                   const model::LoraOptions* lora, model::PassOptions pass,
                   model::PassCapacity capacity, model::WeightPolicy policy)
    : gguf(gguf_of(path)),
      decoder(decoder_of(path, gguf.get())),
      files(weights_of(path, gguf.get(), decoder)) {
  const ParameterId base_size = decoder.registry.size();
  if (lora != nullptr) adapters = model::place_lora(decoder, *lora);
  for (ParameterId id = 0; train == Train::everything && id < base_size; ++id) {
    decoder.registry.set_trainable(id, true);
  }
  model::check_weights(decoder.registry, base_size, *files);
  layout = std::make_unique<FlatLayout>(decoder.registry);
  weights = std::make_unique<model::ResidentWeights>(decoder, base_size, *layout, *files, policy);
  const layers::AdapterSet* placed = adapters ? &*adapters : nullptr;
  pass.training = train != Train::nothing;
  buffers = std::make_unique<model::PassBuffers>(decoder, placed, capacity, pass);
  if (layout->elements() > 0) {
    gradient_buffers_.add(flat_gradients, "gradients", Category::gradients, DType::f32,
                          {layout->elements()});
  }
  gradient_buffers_.add(ops.scratch, "scratch", Category::scratch, DType::u8, {kScratchBytes});
  Plan plan;
  weights->describe(plan);
  buffers->list.describe(plan);
  gradient_buffers_.describe(plan);
  device = open_cpu_device({.threads = 2});
  arena = std::make_unique<Arena>(*device, plan);
  buffers->list.bind(*arena);
  gradient_buffers_.bind(*arena);
  weights->load(*arena, 1);
  ops.table = &table;
  ops.device = device.get();
  ops.threads = device->properties().threads;
  walk = std::make_unique<model::Walk>(decoder, *buffers, weights->parameters(), placed, ops);
  walk->prepare();
  if (layout->elements() > 0) {
    gradients = std::make_unique<ResidentGradients>(decoder.registry, *layout, flat_gradients);
    walk->set_training(*gradients, 42);
  }
}

void ModelRun::clear_gradients() {
  device->fill_zero(flat_gradients.raw(), flat_gradients.bytes());
}

}  // namespace hone::golden
