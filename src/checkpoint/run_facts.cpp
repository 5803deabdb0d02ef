#include "checkpoint/run_facts.h"

#include <span>

#include "checkpoint/checksum.h"

namespace hone::checkpoint {

std::string fingerprint_of(const data::EncodedDataset& dataset) {
  Checksum checksum;
  for (std::int64_t record = 0; record < dataset.records(); ++record) {
    checksum.add(dataset.size(record).tokens);
    checksum.add(std::as_bytes(dataset.tokens(record)));
    checksum.add(std::as_bytes(dataset.labels(record)));
  }
  return checksum.text();
}

}  // namespace hone::checkpoint
