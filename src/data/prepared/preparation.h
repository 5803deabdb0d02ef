// From names of data sets to the records to train and to evaluate on, as token ids.
//
// The order of things is LLaMA-Factory's (@ ff6d4d12, data/loader.py): of each set the rows that
// num_samples draws, of these the first max_samples; sets merged; split; and only then freed of
// records that cannot be used; packed. Encoding, which does not depend on that order, comes first
// here: each set's rows are encoded once, some at a time, into files of the cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/log_sink.h"
#include "data/encoding/encode_records.h"
#include "data/order/mixing.h"
#include "data/prepared/rows_cache.h"
#include "data/sources/dataset_entry.h"
#include "data/sources/registry.h"
#include "data/templates/template.h"
#include "data/tokenizer/tokenizer.h"

namespace hone::data {

struct PreparationOptions {
  std::filesystem::path dataset_dir = "data";
  FetchedFiles fetched;                     // of sets on hubs
  std::vector<std::string> datasets;        // one given twice is loaded once
  std::vector<std::string> eval_datasets;   // not together with val_size
  bool evaluate_each = false;               // eval_on_each_dataset: they are kept apart
  Purpose purpose = Purpose::supervised;    // or pretraining
  std::optional<std::int64_t> max_samples;  // of each set
  double val_size = 0.0;
  std::int64_t seed = 42;  // of samples, mixing and split
  MixStrategy mix = MixStrategy::concat;
  std::vector<double> probabilities;  // of the sets; empty: by turns

  SupervisedOptions encoding;  // of pre-training cutoff_len alone
  // Streaming: of each set to train on no more is read than so many usable records (or packs) need,
  // which then come in the order of a shuffle through a buffer of `buffer_rows`; the first of them
  // are what val_size (a number) asks for. Packing then has one worker.
  std::optional<std::int64_t> stream_records;
  std::int64_t buffer_rows = 16384;

  bool packing = false;  // to packs (blocks of text) of cutoff_len
  bool apart = false;    // neat_packing
  std::int64_t packing_batch = 1000;
  std::int64_t packing_workers = 1;

  // Tells tokenizers apart; empty: by its files, which takes a moment.
  std::string tokenizer_identity;
  RowsCacheOptions cache;
  int threads = 1;
};

// `name`: of the data set, where each is evaluated by itself; empty for the one set of all.
struct NamedRecords {
  std::string name;
  EncodedRecords records;
};

struct PreparedData {
  std::vector<std::string> files;  // that origins count
  EncodedRecords training;
  std::vector<NamedRecords> evaluations;  // none when there is no evaluation
  std::int32_t largest_id = -1;
  int sets_from_cache = 0;
};

// Notices and the counts of dropped records go to `log`. UserError, for all sets together where
// they are independent: what registry.h, dataset_reader.h, encode_records.h and split.h say; a
// split that leaves no valid record on one side; texts too short for one block.
PreparedData prepare_data(const PreparationOptions& options, const Template& chat,
                          const Tokenizer& tokenizer, LogSink& log);

}  // namespace hone::data
