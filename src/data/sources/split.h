// `val_size`: which records are set aside for evaluation.
#pragma once

#include <cstdint>
#include <vector>

namespace hone::data {

struct Split {
  std::vector<std::int64_t> training;    // in permuted order, as LLaMA-Factory trains on them
  std::vector<std::int64_t> evaluation;  // empty without a split
};

// Whether a val_size asks for a split at all: it does above 1e-6, LLaMA-Factory's threshold.
bool asks_for_split(double val_size);

// How many of `records` a val_size stands for: ceil(val_size x records) for a fraction, itself for
// a whole number above 1, 0 without a split. UserError: 1, a number above 1 with a fractional
// part, and whatever would leave no record on one of the two sides.
std::int64_t evaluation_records(double val_size, std::int64_t records);

// datasets' train_test_split: a permutation of all records by numpy's default_rng(seed); its first
// entries are the evaluation set, the others the training set. Without evaluation records: the
// order of the data. UserError for a negative seed, as numpy refuses it.
Split split_records(double val_size, std::int64_t seed, std::int64_t records);

}  // namespace hone::data
