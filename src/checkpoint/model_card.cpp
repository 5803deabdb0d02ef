#include "checkpoint/model_card.h"

#include <fmt/format.h>

#include <string_view>

#include "formats/json_writer.h"

namespace hone::checkpoint {
namespace {

constexpr std::string_view kEmptySection = "More information needed\n";

// As a YAML scalar: plain where that is safe, else in quotes as JSON has them.
std::string scalar(const std::string& text) {
  const std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
  const bool letter_first =
      !text.empty() &&
      (text[0] == '/' || (text[0] >= 'A' && text[0] <= 'Z') || (text[0] >= 'a' && text[0] <= 'z'));
  if (letter_first && text.find_first_not_of(plain) == std::string::npos) return text;
  return formats::dump_python(formats::Value(text),
                              {.indent = std::nullopt, .ensure_ascii = false});
}

std::string front_matter(const ModelCard& card) {
  std::string text = "---\n";
  text += fmt::format("library_name: {}\nlicense: other\n", card.adapter ? "peft" : "transformers");
  if (!card.base_model.empty()) text += fmt::format("base_model: {}\n", scalar(card.base_model));
  text += "tags:\n";
  if (card.adapter && !card.base_model.empty()) {
    text += fmt::format("- {}\n", scalar("base_model:adapter:" + card.base_model));
  }
  text += fmt::format("- hone\n- {}\n- transformers\n", card.finetuning_type);
  text += fmt::format("pipeline_tag: text-generation\nmodel-index:\n- name: {}\n  results: []\n",
                      scalar(card.title));
  return text + "---\n";
}

std::string introduction(const ModelCard& card) {
  std::string sets;
  for (std::size_t i = 0; i < card.datasets.size(); ++i) {
    const bool last = i + 1 == card.datasets.size();
    sets += (i == 0 ? "" : last ? " and " : ", ") + card.datasets[i];
  }
  std::string text = "This model was fine-tuned";
  if (!card.base_model.empty()) text += " from `" + card.base_model + "`";
  if (!sets.empty()) {
    text += " on the " + sets + (card.datasets.size() > 1 ? " data sets" : " data set");
  }
  return text + ".\n";
}

std::string listed(const std::vector<std::pair<std::string, std::string>>& values) {
  std::string text;
  for (const auto& [name, value] : values) text += fmt::format("- {}: {}\n", name, value);
  return text;
}

}  // namespace

std::string model_card_text(const ModelCard& card) {
  std::string text = front_matter(card);
  text += "\n<!-- Written by hone at the end of the training; say more about the model here. -->\n";
  text += fmt::format("\n# {}\n\n{}", card.title, introduction(card));
  if (!card.evaluation.empty()) {
    text += "\nOn the evaluation set it reaches:\n\n" + listed(card.evaluation);
  }
  for (const char* section :
       {"Model description", "Intended uses & limitations", "Training and evaluation data"}) {
    text += fmt::format("\n## {}\n\n{}", section, kEmptySection);
  }
  text += "\n## Training procedure\n\n### Training hyperparameters\n\n";
  text += listed(card.hyperparameters);
  text += fmt::format("\n### Framework versions\n\n- hone {}\n", card.version);
  return text;
}

}  // namespace hone::checkpoint
