// The records of one micro-step, one after another, without padding.
//
// Letters: T tokens, S sequences, L label rows. Every array may be empty. Row t of the model's
// output predicts the token at t + 1 of the same sequence, so a sequence's last row has no label,
// and a label at its position 0 is never predicted.
//
// A record is one sequence. A pack of records is one too (LLaMA-Factory's `packing`), in which
// positions begin anew with each record; or (`neat_packing`) each of its records is one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "data/batches/encoded_dataset.h"

namespace hone::data {

// A record's place in a step.
struct StepRecord {
  std::int64_t record = 0;         // index into the data set
  std::int64_t ordinal = 0;        // place in the epoch's order: the coordinate of random numbers
  std::int64_t logical_batch = 0;  // LLaMA-Factory's micro-batch, counted from 0 within the step
};

// Upper bounds of what a micro-step holds.
struct BatchCapacity {
  std::int64_t tokens = 0;     // T
  std::int64_t sequences = 0;  // S
  std::int64_t labels = 0;     // L

  void cover(const BatchCapacity& other) {
    tokens = std::max(tokens, other.tokens);
    sequences = std::max(sequences, other.sequences);
    labels = std::max(labels, other.labels);
  }
};

struct PackedBatch {
  std::vector<std::int32_t> tokens;           // [T]
  std::vector<std::int32_t> positions;        // [T], from 0 in each record, also of a pack
  std::vector<std::int32_t> query_starts;     // [S + 1], first is 0, last is T
  std::vector<std::int32_t> label_rows;       // [L], rising: rows whose next token is learned
  std::vector<std::int32_t> labels;           // [L], what these rows are to predict
  std::vector<float> weights;                 // [L], or empty: every label weighs 1
  std::vector<std::int64_t> record_ids;       // [S], index into the data set
  std::vector<std::int64_t> ordinals;         // [S], place in the epoch's order
  std::vector<std::int32_t> logical_batches;  // [S]
  // [T]: rows sorted by token id, then by row. Adding gradients of the embedding in this order
  // needs no atomics and always adds the same way.
  std::vector<std::int32_t> order_by_token;
  // Labels of these records before the shift (RecordSize::counted_labels), summed.
  std::int64_t counted_labels = 0;

  std::int64_t token_count() const { return static_cast<std::int64_t>(tokens.size()); }
  std::int64_t sequence_count() const { return static_cast<std::int64_t>(record_ids.size()); }
  std::int64_t label_count() const { return static_cast<std::int64_t>(labels.size()); }

  // After this, fill() allocates nothing for batches within the capacity.
  void reserve(const BatchCapacity& capacity);

  // Replaces the content by these records, in this order. `records` may be empty.
  void fill(const EncodedDataset& dataset, std::span<const StepRecord> records);
};

}  // namespace hone::data
