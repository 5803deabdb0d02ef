// Which records, and how they become tokens and labels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hone::config {

enum class MixStrategy { concat, interleave_under, interleave_over, interleave_once };

struct DataSettings {
  std::optional<std::string> template_name;  // the setting `template`
  std::vector<std::string> dataset;  // names; one given twice is there twice, and loaded once
  std::vector<std::string> eval_dataset;
  bool eval_on_each_dataset = false;
  std::string dataset_dir = "data";
  std::int64_t cutoff_len = 2048;  // tokens; one less than written where packing was asked for
  bool train_on_prompt = false;
  bool mask_history = false;
  std::optional<std::int64_t> max_samples;  // records per data set
  MixStrategy mix_strategy = MixStrategy::concat;
  std::vector<std::string> interleave_probs;  // shares of the data sets, as written
  // Unset becomes true for stage pt when settings are completed; has a value from then on.
  std::optional<bool> packing;
  bool neat_packing = false;
  // Where packs end depends on these two, and nothing else does.
  std::optional<std::int64_t> preprocessing_num_workers;
  std::int64_t preprocessing_batch_size = 1000;
  std::optional<std::string> tokenized_path;
  bool streaming = false;            // only what max_steps need is read
  std::int64_t buffer_size = 16384;  // records of the shuffle of a stream
  // Below 1: a fraction of the records. Above 1: a whole number of records. 0: no split.
  double val_size = 0.0;
  bool overwrite_cache = false;
  bool ignore_pad_token_for_loss = true;
  std::optional<bool> enable_thinking = true;  // three states: unset leaves thoughts alone
  bool preserve_thinking = false;
  std::optional<std::string> default_system;
  std::optional<std::string> tool_format;  // name of a tool format
};

}  // namespace hone::config
