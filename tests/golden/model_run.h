// A model from a folder or a GGUF file, whole in memory with a chosen op table: what golden tests
// run.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/cpu/cpu_device.h"
#include "formats/gguf.h"
#include "formats/json.h"
#include "layers/adapter_set.h"
#include "losses/cross_entropy.h"
#include "memory/arena.h"
#include "model/adapters/lora_placement.h"
#include "model/description/decoder.h"
#include "model/families/family.h"
#include "model/forward_backward/walk.h"
#include "model/weights/gguf_weights.h"
#include "model/weights/resident_weights.h"

namespace hone::golden {

// Sequences packed into one micro-step, with labels shifted.
struct Pack {
  explicit Pack(const std::vector<std::vector<std::int32_t>>& sequences,
                const std::vector<std::vector<std::int32_t>>& labels = {});
  model::BatchView view() const;

  std::vector<std::int32_t> tokens, positions, starts = {0}, lengths, order, rows, targets;
  std::vector<float> weights;
  std::int64_t counted_labels = 0;  // before the shift
};

enum class Train { nothing, everything, adapters };

class ModelRun {
 public:
  ModelRun(const std::filesystem::path& path, const ops::OpTable& table, Train train,
           const model::LoraOptions* lora = nullptr, model::PassOptions pass = {},
           model::PassCapacity capacity = {64, 64, 64}, model::WeightPolicy policy = {});

  std::unique_ptr<formats::GgufFile> gguf;  // only when the path is one
  model::Decoder decoder;
  std::optional<layers::AdapterSet> adapters;
  std::unique_ptr<model::WeightFiles> files;
  std::unique_ptr<FlatLayout> layout;
  std::unique_ptr<model::ResidentWeights> weights;
  std::unique_ptr<model::PassBuffers> buffers;
  std::unique_ptr<Device> device;
  std::unique_ptr<Arena> arena;
  std::unique_ptr<ResidentGradients> gradients;
  std::unique_ptr<model::Walk> walk;
  TensorView flat_gradients;
  losses::CrossEntropy loss;

  // Sets gradients to zero.
  void clear_gradients();

  ops::OpContext ops;

 private:
  BufferList gradient_buffers_;
};

}  // namespace hone::golden
