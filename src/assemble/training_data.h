// The records of a run as token ids, and the tokenizer as its template has fixed it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log_sink.h"
#include "config/reading/read_settings.h"
#include "data/encoding/encode_records.h"
#include "data/prepared/preparation.h"
#include "data/sources/dataset_entry.h"
#include "data/templates/template.h"
#include "data/tokenizer/tokenizer.h"

namespace hone::assemble {

struct TrainingData {
  data::Tokenizer tokenizer;       // fixed by the template
  std::vector<std::string> files;  // that the records' origins count
  data::EncodedRecords training;
  std::vector<data::NamedRecords> evaluations;  // none when there is nothing to evaluate on
  std::vector<std::string> preview;             // one record as the model sees it
};

// What an evaluation's numbers begin with: "eval", or "eval_NAME" where each set has its own.
std::string metric_prefix(const data::NamedRecords& records);

// "evaluation", or "evaluation NAME".
std::string evaluation_title(const data::NamedRecords& records);

// The template that the settings name; the tokenizer is fixed by it. What that changed is said on
// `log`. Throws UserError, with what to name, when there is no such template.
data::Template open_template(const config::Settings& settings, data::Tokenizer& tokenizer,
                             LogSink& log);

// What the records are for, by the stage.
data::Purpose purpose_of(const config::Settings& settings);

// Loads, converts, mixes, splits, encodes and packs; what was dropped or cut is said on `log`.
// `vocabulary` is the number of rows of the model's embedding: a template or tokenizer with ids
// beyond it is refused. `cache`: the folder for encoded records; empty: none are kept. `ranks`: of
// the run, which streaming reads for.
TrainingData load_training_data(const config::Settings& settings, data::Tokenizer tokenizer,
                                std::int64_t vocabulary, int threads,
                                const std::filesystem::path& cache, LogSink& log, int ranks = 1);

// The records of an evaluation without training.
struct EvaluationData {
  std::vector<std::string> files;        // that the records' origins count
  std::vector<data::NamedRecords> sets;  // at least one
  std::vector<std::string> preview;      // one record as the model sees it
};

// The same for eval_dataset, or for what val_size sets apart of dataset. Refused where no record
// has a label, too.
EvaluationData load_evaluation_data(const config::Settings& settings, data::Tokenizer tokenizer,
                                    std::int64_t vocabulary, int threads,
                                    const std::filesystem::path& cache, LogSink& log);

// Adds a fault for the first data set that dataset_info.json does not know: what can be said of the
// data where there is no tokenizer.
void check_dataset_names(const config::Settings& settings, FaultList& faults);

}  // namespace hone::assemble
