// What a run was made from, kept in its checkpoints so that a resumed run can tell what differs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "data/batches/encoded_dataset.h"

namespace hone::checkpoint {

struct RunFacts {
  std::int64_t seed = 0;
  std::int64_t data_seed = 0;
  std::int64_t micro_step_tokens = 0;
  std::int64_t records = 0;      // of the training set
  std::string data_fingerprint;  // equal for equal training sets (fingerprint_of)
  // Settings that matter for equal bits, as name and value: {"learning_rate", "5e-05"}.
  std::vector<std::pair<std::string, std::string>> settings;

  bool operator==(const RunFacts&) const = default;
};

// Of the token ids and labels of all records, in order: for RunFacts::data_fingerprint.
std::string fingerprint_of(const data::EncodedDataset& dataset);

}  // namespace hone::checkpoint
