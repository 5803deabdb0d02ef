// The kit's tiny model, which speaks bytes, and adapters for it, written into a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/random.h"
#include "formats/safetensors_writer.h"
#include "kit/kit_model.h"
#include "unit/formats/temporary_folder.h"

namespace hone::assemble {

inline constexpr int kTinyPositions = 400;

class TinyChatModel {
 public:
  explicit TinyChatModel(std::int64_t positions = kTinyPositions) {
    kit::ModelOptions options;
    options.config = {{"max_position_embeddings", positions}};
    kit::write_model(model(), options);
  }

  // LoRA of rank 2 on q_proj of both blocks; `size` 0 makes one that changes nothing.
  std::string adapter(const std::string& name, std::uint64_t seed, float size) {
    folder_.write(name + "/adapter_config.json",
                  R"({"peft_type": "LORA", "r": 2, "lora_alpha": 4, "target_modules": ["q_proj"],
              "base_model_name_or_path": "tiny", "task_type": "CAUSAL_LM"})");
    std::vector<formats::TensorSpec> tensors;
    for (int block = 0; block < 2; ++block) {
      const std::string module =
          "base_model.model.model.layers." + std::to_string(block) + ".self_attn.q_proj.lora_";
      tensors.push_back({module + "A.weight", DType::f32, {2, 16}});
      tensors.push_back({module + "B.weight", DType::f32, {16, 2}});
    }
    write_tensors(folder_.path() / name / "adapter_model.safetensors", tensors, seed, size);
    return (folder_.path() / name).string();
  }

  std::filesystem::path model() const { return folder_.path() / "model"; }

 private:
  static void write_tensors(const std::filesystem::path& file,
                            const std::vector<formats::TensorSpec>& tensors, std::uint64_t seed,
                            float size) {
    const CounterRandom random(seed, RandomStream::adapter_init);
    formats::PosixFileSystem system;
    formats::SafetensorsWriter writer(system, file, tensors, {{"format", "pt"}});
    std::uint64_t index = 0;
    for (const formats::TensorSpec& tensor : writer.order()) {
      std::vector<float> values(static_cast<std::size_t>(tensor.shape.elements()));
      for (float& value : values) value = size * (2.0f * random.uniform(index++, 0) - 1.0f);
      writer.write(std::as_bytes(std::span<const float>(values)));
    }
    writer.commit();
  }

  formats::TemporaryFolder folder_;
};

}  // namespace hone::assemble
