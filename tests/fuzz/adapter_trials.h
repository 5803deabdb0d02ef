// The trial of adapter_config.json, as PEFT and its relatives write it.
#pragma once

#include <cmath>
#include <string_view>

#include "formats/json.h"
#include "fuzz/reader_trials.h"
#include "model/adapters/peft_adapter.h"

namespace hone::model {

// What is accepted can be placed: there is something to place it by, and its scale is a number.
inline bool try_peft_config(std::string_view input) {
  using formats::expect;
  try {
    const PeftConfig config = read_peft_config(formats::parse_json(input, "trial"), "trial");
    expect(!config.lora.targets.empty(), "no targets");
    expect(config.lora.rank >= 1, "a rank that cannot be");
    expect(std::isfinite(config.lora.alpha), "an alpha that is no number");
    expect(config.lora.dropout >= 0.0 && config.lora.dropout < 1.0, "no probability");
    for (const auto& [name, rank] : config.lora.rank_pattern) {
      expect(!name.empty() && rank >= 1, "a pattern's rank that cannot be");
    }
    for (const auto& [name, alpha] : config.lora.alpha_pattern) {
      expect(!name.empty() && std::isfinite(alpha), "a pattern's alpha that is no number");
    }
    return true;
  } catch (const UserError&) {
    return false;
  }
}

}  // namespace hone::model
