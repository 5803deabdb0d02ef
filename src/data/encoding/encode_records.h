// All records of a data set as token ids and labels, on several threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/batches/encoded_dataset.h"
#include "data/encoding/supervised.h"
#include "data/sources/record.h"
#include "data/templates/template.h"
#include "data/tokenizer/tokenizer.h"

namespace hone::data {

// What encoding did that the user should know of.
struct EncodingReport {
  std::int64_t records = 0;
  std::int64_t tokens = 0;
  std::int64_t counted_labels = 0;
  std::int64_t cut_records = 0;  // longer than cutoff_len
  std::int64_t cut_tokens = 0;
  std::int64_t records_without_labels = 0;       // nothing to learn is in them
  std::int64_t records_cut_to_no_label = 0;      // of these, the ones that were cut
  std::int64_t records_with_control_tokens = 0;  // their own texts contain special tokens
  std::int64_t control_tokens = 0;

  // One sentence for each of the above that needs saying, in plain words; usually none. `name` is
  // what the records are called: "training".
  std::vector<std::string> lines(const std::string& name, const SupervisedOptions& options,
                                 bool split_special_tokens) const;
};

struct EncodedRecords {
  EncodedDataset dataset;
  std::vector<RecordOrigin> origins;  // of each record of the data set
  EncodingReport report;
};

// Encodes every record (none has a flaw), in order; the result does not depend on `threads` (>= 1).
// `files` names the records' files for errors. UserError: tool text that is not what it must be,
// with the record named (of several such records the first); a template that ends records by EOS
// (efficient_eos) with a tokenizer that has none.
EncodedRecords encode_supervised(const std::vector<Record>& records,
                                 const std::vector<std::string>& files, const Template& chat,
                                 const Tokenizer& tokenizer, const SupervisedOptions& options,
                                 int threads);

}  // namespace hone::data
