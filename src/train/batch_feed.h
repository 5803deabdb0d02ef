// From records to what the model sees: packs the records of a micro-step and adds the keys of
// adapter dropout.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/batches/encoded_dataset.h"
#include "data/batches/packed_batch.h"
#include "model/forward_backward/batch_view.h"

namespace hone::train {

class BatchFeed {
 public:
  // Reserves for micro-steps within `capacity`. `dropout`: make keys.
  BatchFeed(const data::EncodedDataset& dataset, const data::BatchCapacity& capacity, bool dropout);

  // The view is valid until the next call. A row's dropout key is made of the step, of its record's
  // place among the records of the step (which starts at ordinal `first_ordinal` of the epoch) and
  // of its position in the record, so that it does not depend on how the step is cut.
  model::BatchView pack(std::span<const data::StepRecord> records, std::int64_t step,
                        std::int64_t first_ordinal);

  const data::PackedBatch& batch() const { return batch_; }

 private:
  void make_keys(std::int64_t step, std::int64_t first_ordinal);

  const data::EncodedDataset& dataset_;
  bool dropout_;
  data::PackedBatch batch_;
  std::vector<std::int32_t> lengths_;        // [S]
  std::vector<float> unit_weights_;          // [L]
  std::vector<std::uint64_t> dropout_keys_;  // [T]
};

}  // namespace hone::train
