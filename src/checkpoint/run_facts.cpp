#include "checkpoint/run_facts.h"

#include "formats/checksum.h"

namespace hone::checkpoint {

std::string fingerprint_of(const data::EncodedDataset& dataset) {
  formats::Checksum checksum;
  for (std::int64_t record = 0; record < dataset.records(); ++record) {
    checksum.add(dataset.size(record).tokens);
    checksum.add(static_cast<std::int64_t>(dataset.checksum(record)));
  }
  return checksum.text();
}

}  // namespace hone::checkpoint
