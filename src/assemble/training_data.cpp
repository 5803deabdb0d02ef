#include "assemble/training_data.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "data/encoding/preview.h"
#include "data/sources/load_records.h"
#include "data/sources/registry.h"
#include "data/templates/registry.h"

namespace hone::assemble {
namespace {

data::SourceOptions source_options(const config::Settings& settings) {
  data::SourceOptions options;
  options.dataset_dir = settings.data.dataset_dir;
  options.datasets = settings.data.dataset;
  options.eval_datasets = settings.data.eval_dataset;
  options.max_samples = settings.data.max_samples;
  options.val_size = settings.data.val_size;
  options.seed = settings.training.seed;
  return options;
}

// Ids beyond the embedding would read other memory than the model's.
void refuse_ids_beyond(const data::EncodedDataset& dataset, const data::Tokenizer& tokenizer,
                       std::int64_t vocabulary) {
  for (std::int64_t record = 0; record < dataset.records(); ++record) {
    for (const std::int32_t id : dataset.tokens(record)) {
      if (id < vocabulary) continue;
      throw UserError({"the token '" + tokenizer.token_text(id) + "'",
                       "id " + std::to_string(id) + ", where the model's embedding has " +
                           std::to_string(vocabulary) + " rows",
                       "use a template whose tokens the model has, or the model's own tokenizer"});
    }
  }
}

data::EncodedRecords encode(const std::vector<data::Record>& records,
                            const std::vector<std::string>& files, const std::string& name,
                            const data::Template& chat, const data::Tokenizer& tokenizer,
                            const config::Settings& settings, int threads, LogSink& log) {
  const data::SupervisedOptions options = {.cutoff_len = settings.data.cutoff_len,
                                           .train_on_prompt = settings.data.train_on_prompt,
                                           .mask_history = settings.data.mask_history};
  data::EncodedRecords encoded =
      data::encode_supervised(records, files, chat, tokenizer, options, threads);
  for (const std::string& line :
       encoded.report.lines(name, options, settings.model.split_special_tokens)) {
    log.warning(line);
  }
  return encoded;
}

}  // namespace

data::Template open_template(const config::Settings& settings, data::Tokenizer& tokenizer,
                             LogSink& log) {
  data::TemplateChoice choice = data::choose_template(settings.data.template_name, tokenizer);
  for (const std::string& note : choice.notes) log.warning(note);
  data::TemplateOptions options;
  options.enable_thinking = settings.data.enable_thinking;
  options.preserve_thinking = settings.data.preserve_thinking;
  options.default_system = settings.data.default_system;
  options.split_special_tokens = settings.model.split_special_tokens;
  data::Template chat(std::move(choice.definition), options);
  for (const std::string& note : tokenizer.notes()) log.warning(note);
  for (const std::string& note : chat.fix_tokenizer(tokenizer).notes) log.info(note);
  return chat;
}

TrainingData load_training_data(const config::Settings& settings, data::Tokenizer tokenizer,
                                std::int64_t vocabulary, int threads, LogSink& log) {
  const data::Template chat = open_template(settings, tokenizer, log);
  const data::LoadedRecords records = data::load_records(source_options(settings), log);
  TrainingData data{std::move(tokenizer), records.files, {}, std::nullopt, {}};
  data.training = encode(records.training, records.files, "training", chat, data.tokenizer,
                         settings, threads, log);
  refuse_ids_beyond(data.training.dataset, data.tokenizer, vocabulary);
  if (!records.evaluation.empty()) {
    data.evaluation = encode(records.evaluation, records.files, "evaluation", chat, data.tokenizer,
                             settings, threads, log);
    refuse_ids_beyond(data.evaluation->dataset, data.tokenizer, vocabulary);
  }
  if (data.training.dataset.total_predicted_labels() == 0) {
    throw UserError({"the training data", "no record with a token to learn",
                     "look at the answers' texts, at template, and at cutoff_len (" +
                         std::to_string(settings.data.cutoff_len) + ")"});
  }
  data.preview = data::preview_lines(data.training.dataset, 0, data.tokenizer, "training example:");
  return data;
}

EvaluationData load_evaluation_data(const config::Settings& settings, data::Tokenizer tokenizer,
                                    std::int64_t vocabulary, int threads, LogSink& log) {
  const data::Template chat = open_template(settings, tokenizer, log);
  data::SourceOptions options = source_options(settings);
  const bool split = options.eval_datasets.empty();
  // What would be trained on is not read where it is not split.
  if (!split) options.datasets = std::move(options.eval_datasets);
  options.eval_datasets.clear();
  const data::LoadedRecords loaded = data::load_records(options, log);
  EvaluationData data{loaded.files, {}, {}};
  data.records = encode(split ? loaded.evaluation : loaded.training, loaded.files, "evaluation",
                        chat, tokenizer, settings, threads, log);
  refuse_ids_beyond(data.records.dataset, tokenizer, vocabulary);
  if (data.records.dataset.total_predicted_labels() == 0) {
    throw UserError({"the evaluation data", "no record with a token to measure",
                     "look at the answers' texts, at template, and at cutoff_len (" +
                         std::to_string(settings.data.cutoff_len) + ")"});
  }
  data.preview = data::preview_lines(data.records.dataset, 0, tokenizer, "evaluation example:");
  return data;
}

void check_dataset_names(const config::Settings& settings, FaultList& faults) {
  try {
    data::DatasetRegistry registry = data::DatasetRegistry::open(settings.data.dataset_dir);
    for (const auto* names : {&settings.data.dataset, &settings.data.eval_dataset}) {
      for (const std::string& name : *names) registry.find(name);
    }
  } catch (const UserError& error) {
    faults.add(error);
  }
}

}  // namespace hone::assemble
