// What transformers and peft recorded of a tiny model, and comparing a run with it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "formats/json.h"
#include "golden/model_run.h"

namespace hone::golden {

// expected.json of a folder.
struct Expected {
  explicit Expected(const std::filesystem::path& folder);

  formats::Value json;
  std::vector<std::vector<std::int32_t>> ids, labels;
};

// The whole numbers of a JSON list.
std::vector<std::int32_t> integers(const formats::Value& array);

// |a - b| / |b| over all elements, Frobenius; both zero counts as equal. `ours` is f32, `theirs`
// f32 or f64.
double distance(const ConstTensorView& ours, const ConstTensorView& theirs);

// The logits of every row of every sequence.
void expect_logits(ModelRun& run, const Expected& expected);

// The loss over all sequences, and every gradient in the folder's grad.safetensors; `file_name`
// maps a parameter's name to its name there.
void expect_gradients(ModelRun& run, const Expected& expected, const std::filesystem::path& folder,
                      std::string (*file_name)(const std::string&));

}  // namespace hone::golden
