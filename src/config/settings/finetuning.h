// What is trained: the whole model, or adapters and where they sit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hone::config {

enum class Stage { sft, pt };
enum class FinetuningType { lora, full };

struct FinetuningSettings {
  Stage stage = Stage::sft;
  FinetuningType finetuning_type = FinetuningType::lora;
  std::int64_t lora_rank = 8;
  // Unset or 0 becomes 2 x lora_rank when settings are completed; has a value from then on.
  std::optional<std::int64_t> lora_alpha;
  double lora_dropout = 0.0;
  std::vector<std::string> lora_target = {"all"};  // module names, or the one word `all`
  std::vector<std::string> additional_target;      // modules trained and saved whole
  bool use_rslora = false;
  bool create_new_adapter = false;
  bool pure_bf16 = false;  // no f32 masters of the trained weights
  bool disable_shuffling = false;
  bool plot_loss = false;
};

}  // namespace hone::config
