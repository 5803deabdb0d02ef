// Records as token ids and labels, on several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/encoding/pretraining.h"
#include "data/encoding/supervised.h"
#include "data/prepared/encoded_rows.h"
#include "data/sources/record.h"
#include "data/templates/template.h"
#include "data/tokenizer/tokenizer.h"

namespace hone::data {

// One record after another; any number of threads may call it.
class RowEncoder {
 public:
  virtual ~RowEncoder() = default;
  // UserError: tool text that is not what it must be. The record has no flaw.
  virtual EncodedRow encode(const Record& record) const = 0;
};

// References must outlive the encoders.
class SupervisedEncoder final : public RowEncoder {
 public:
  // UserError: a template that ends records by EOS (efficient_eos) with a tokenizer that has none.
  SupervisedEncoder(const Template& chat, const Tokenizer& tokenizer,
                    const SupervisedOptions& options);
  EncodedRow encode(const Record& record) const override;

 private:
  const Template& chat_;
  const Tokenizer& tokenizer_;
  SupervisedOptions options_;
  std::optional<TokenId> final_eos_;
};

// Texts by themselves, or (`packed`) whole, to be cut into blocks later.
class PretrainingEncoder final : public RowEncoder {
 public:
  PretrainingEncoder(const Tokenizer& tokenizer, PretrainingOptions options,
                     std::int64_t cutoff_len, bool packed);
  EncodedRow encode(const Record& record) const override;

 private:
  const Tokenizer& tokenizer_;
  PretrainingOptions options_;
  std::int64_t cutoff_len_;
  bool packed_;
};

// Encodes what `next` gives, in order, some at a time; a record with a flaw becomes a dropped row.
// What `sink` gets does not depend on `threads` (>= 1). `files` names the records' files for
// errors. Returns the largest id; -1 without any. UserError: what the encoder refuses, with the
// record named (of several such records the first).
std::int32_t encode_rows(const std::function<bool(Record&)>& next,
                         const std::vector<std::string>& files, const RowEncoder& encoder,
                         int threads, RowSink& sink);

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

  void count(const RowInfo& row);

  // One sentence for each of the above that needs saying, in plain words; usually none. `name` is
  // what the records are called: "training".
  std::vector<std::string> lines(const std::string& name, std::int64_t cutoff_len,
                                 bool split_special_tokens) const;
};

struct EncodedRecords {
  EncodedDataset dataset;
  std::vector<RecordOrigin> origins;  // of each record of the data set
  EncodingReport report;
};

// Appends a row that was not dropped; `rows` must be kept (EncodedDataset::keep). `first_file`:
// what the rows' files count from. The report is not touched.
void append_row(EncodedRecords& records, const EncodedRows& rows, std::int64_t row,
                std::int32_t first_file);

}  // namespace hone::data
