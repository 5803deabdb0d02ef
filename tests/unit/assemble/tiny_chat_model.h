// A model of two blocks that speaks bytes, and adapters for it, written into a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/random.h"
#include "formats/json.h"
#include "formats/safetensors_writer.h"
#include "model/description/decoder.h"
#include "model/families/family.h"
#include "unit/formats/temporary_folder.h"

namespace hone::assemble {

inline constexpr int kTinyPositions = 400;

class TinyChatModel {
 public:
  explicit TinyChatModel(int positions = kTinyPositions) {
    write("model/config.json",
          R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 32,
              "intermediate_size": 40, "num_hidden_layers": 2, "num_attention_heads": 4,
              "num_key_value_heads": 2, "vocab_size": 261, "max_position_embeddings": )" +
              std::to_string(positions) + R"(, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
              "tie_word_embeddings": false, "hidden_act": "silu"})");
    const std::filesystem::path tokenizer =
        std::filesystem::path(HONE_SOURCE_ROOT) / "tests/unit/data/data/b256";
    for (const char* name : {"tokenizer.json", "tokenizer_config.json"}) {
      std::filesystem::copy_file(tokenizer / name, model() / name);
    }
    const std::filesystem::path config = model() / "config.json";
    const model::Decoder decoder(
        model::describe_model(formats::read_json(config), config.string()));
    std::vector<formats::TensorSpec> tensors;
    for (ParameterId id = 0; id < decoder.registry.size(); ++id) {
      const Parameter& parameter = decoder.registry.at(id);
      tensors.push_back({parameter.name, DType::f32, parameter.shape});
    }
    write_tensors(model() / "model.safetensors", tensors, 1, 0.4f);
  }

  // LoRA of rank 2 on q_proj of both blocks; `size` 0 makes one that changes nothing.
  std::string adapter(const std::string& name, std::uint64_t seed, float size) {
    write(name + "/adapter_config.json",
          R"({"peft_type": "LORA", "r": 2, "lora_alpha": 4, "target_modules": ["q_proj"],
              "base_model_name_or_path": "tiny", "task_type": "CAUSAL_LM"})");
    std::vector<formats::TensorSpec> tensors;
    for (int block = 0; block < 2; ++block) {
      const std::string module =
          "base_model.model.model.layers." + std::to_string(block) + ".self_attn.q_proj.lora_";
      tensors.push_back({module + "A.weight", DType::f32, {2, 32}});
      tensors.push_back({module + "B.weight", DType::f32, {32, 2}});
    }
    write_tensors(folder_.path() / name / "adapter_model.safetensors", tensors, seed, size);
    return (folder_.path() / name).string();
  }

  std::filesystem::path model() const { return folder_.path() / "model"; }

 private:
  void write(const std::string& name, const std::string& text) { folder_.write(name, text); }

  // Norm weights around 1, others around 0.
  static void write_tensors(const std::filesystem::path& file,
                            const std::vector<formats::TensorSpec>& tensors, std::uint64_t seed,
                            float size) {
    const CounterRandom random(seed, RandomStream::adapter_init);
    formats::PosixFileSystem system;
    formats::SafetensorsWriter writer(system, file, tensors, {{"format", "pt"}});
    std::uint64_t index = 0;
    for (const formats::TensorSpec& tensor : writer.order()) {
      std::vector<float> values(static_cast<std::size_t>(tensor.shape.elements()));
      const float middle = tensor.shape.rank() == 1 ? 1.0f : 0.0f;
      for (float& value : values)
        value = middle + size * (2.0f * random.uniform(index++, 0) - 1.0f);
      writer.write(std::as_bytes(std::span<const float>(values)));
    }
    writer.commit();
  }

  formats::TemporaryFolder folder_;
};

}  // namespace hone::assemble
