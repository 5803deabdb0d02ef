// README.md of a trained model: what hubs show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hone::checkpoint {

struct ModelCard {
  std::string title;       // the output folder's name
  std::string base_model;  // as the user named it
  std::vector<std::string> datasets;
  bool adapter = true;
  std::string finetuning_type;  // a tag: "lora", "full"
  // Shown values: {"loss", "1.2345"}; empty without evaluation.
  std::vector<std::pair<std::string, std::string>> evaluation;
  // {"learning_rate", "5e-05"}, ... in the order shown.
  std::vector<std::pair<std::string, std::string>> hyperparameters;
  std::string version;  // of hone
};

std::string model_card_text(const ModelCard& card);

}  // namespace hone::checkpoint
