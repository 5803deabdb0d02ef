// One record as the model will see it, for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/batches/encoded_dataset.h"
#include "data/tokenizer/tokenizer.h"

namespace hone::data {

// "training example:" (or another title), then input_ids, inputs (decoded, special tokens shown),
// label_ids and labels (decoded, without what is not learned), each heading on a line of its own
// with its value after it: LLaMA-Factory's print. Long lists and texts are given whole; decoded
// text is split at its line ends. Record 0 is what LLaMA-Factory shows.
std::vector<std::string> preview_lines(const EncodedDataset& dataset, std::int64_t record,
                                       const Tokenizer& tokenizer, const std::string& title);

}  // namespace hone::data
