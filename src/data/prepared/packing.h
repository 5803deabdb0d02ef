// Records put together to full length, as LLaMA-Factory's `packing` does (@ ff6d4d12,
// data/processor/supervised.py, pretrain.py and processor_utils.py).
//
// Packs never cross a batch of rows. Rows are first cut into `workers` runs of nearly equal length,
// the longer ones first, and each run into batches of `batch_rows`. Dropped rows take part in both.
// LLaMA-Factory pads packs; here they end with their last record.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "data/encoding/pretraining.h"
#include "data/prepared/encoded_rows.h"

namespace hone::data {

struct PackingOptions {
  std::int64_t pack_tokens = 0;  // of a pack at most (records), or exactly (blocks of text)
  std::int64_t batch_rows = 1000;
  std::int64_t workers = 1;
  bool apart = false;  // neat_packing: the records of a pack do not see each other
};

// [first, end) of each batch.
std::vector<std::pair<std::int64_t, std::int64_t>> packing_batches(std::int64_t rows,
                                                                   const PackingOptions& options);

// Which of these lengths (each from 1 to `capacity`) share a pack, as indices in the order in which
// they stand in it: each pack takes the longest that still fits, again and again; of equal lengths
// the later first.
std::vector<std::vector<std::size_t>> pack_lengths(std::span<const std::int64_t> lengths,
                                                   std::int64_t capacity);

// A row by its place in the order: its info and its numbers.
struct RowView {
  const RowInfo* info = nullptr;
  std::span<const std::int32_t> numbers;
};
using RowAt = std::function<RowView(std::int64_t place)>;

// Packs of whole records.
void pack_records(std::int64_t rows, const RowAt& at, const PackingOptions& options, RowSink& sink);

// Blocks of text: the ids of a batch one after another, cut every pack_tokens; what is left at its
// end is left out. Returns how many ids that were.
std::int64_t pack_texts(std::int64_t rows, const RowAt& at, const PackingOptions& options,
                        const PretrainingOptions& text, RowSink& sink);

}  // namespace hone::data
