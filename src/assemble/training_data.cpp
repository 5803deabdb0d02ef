#include "assemble/training_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "config/settings/probabilities.h"
#include "data/encoding/preview.h"
#include "data/prepared/preparation.h"
#include "data/prepared/tokenized_folder.h"
#include "data/sources/registry.h"
#include "data/templates/registry.h"
#include "formats/checksum.h"
#include "formats/file_system.h"
#include "formats/regular_file.h"

namespace hone::assemble {
namespace {

data::MixStrategy mix_strategy(config::MixStrategy strategy) {
  switch (strategy) {
    case config::MixStrategy::concat:
      return data::MixStrategy::concat;
    case config::MixStrategy::interleave_under:
      return data::MixStrategy::interleave_under;
    case config::MixStrategy::interleave_over:
      return data::MixStrategy::interleave_over;
    case config::MixStrategy::interleave_once:
      return data::MixStrategy::interleave_once;
  }
  return data::MixStrategy::concat;
}

// Of the files that make a tokenizer; empty where they are not in a folder of this path.
std::string tokenizer_identity(const std::filesystem::path& model) {
  std::error_code error;
  if (std::filesystem::is_regular_file(model, error)) {
    const formats::FileIdentity file = formats::open_regular_file(model).identity;
    return fmt::format("{} {} {} {}", file.device, file.inode, file.size_bytes,
                       file.modified_nanoseconds);
  }
  std::string identity;
  for (const char* name :
       {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
        "vocab.json", "merges.txt", "tokenizer.model", "chat_template.jinja"}) {
    if (!std::filesystem::is_regular_file(model / name, error)) continue;
    identity += name;
    identity += ' ' + formats::checksum_of_file(model / name).text() + ' ';
  }
  return identity;
}

data::PreparationOptions preparation_options(const config::Settings& settings, int threads,
                                             const std::filesystem::path& cache, int ranks = 1) {
  const config::DataSettings& from = settings.data;
  data::PreparationOptions options;
  options.dataset_dir = from.dataset_dir;
  options.fetched = settings.fetched.datasets;
  options.datasets = from.dataset;
  options.eval_datasets = from.eval_dataset;
  options.evaluate_each = from.eval_on_each_dataset;
  options.purpose = purpose_of(settings);
  options.max_samples = from.max_samples;
  options.val_size = from.val_size;
  options.seed = settings.training.seed;
  options.mix = mix_strategy(from.mix_strategy);
  options.probabilities = config::probabilities_of(from.interleave_probs);
  options.encoding = {.cutoff_len = from.cutoff_len,
                      .train_on_prompt = from.train_on_prompt,
                      .mask_history = from.mask_history};
  if (from.streaming) {
    const config::TrainingSettings& training = settings.training;
    options.stream_records = std::max<std::int64_t>(training.max_steps, 0) *
                             training.per_device_train_batch_size *
                             training.gradient_accumulation_steps * ranks;
    options.buffer_rows = from.buffer_size;
  }
  // A stream is prepared by one process of LLaMA-Factory's.
  const std::int64_t workers = from.streaming ? 1 : from.preprocessing_num_workers.value_or(1);
  options.packing = from.packing.value_or(false);
  options.apart = from.neat_packing;
  options.packing_batch = from.preprocessing_batch_size;
  options.packing_workers = workers;
  options.tokenizer_identity = tokenizer_identity(settings.model.model_name_or_path);
  options.cache = {cache, from.overwrite_cache};
  options.threads = threads;
  return options;
}

// Ids beyond the embedding would read other memory than the model's.
void refuse_ids_beyond(std::int32_t largest_id, const data::Tokenizer& tokenizer,
                       std::int64_t vocabulary) {
  if (largest_id < vocabulary) return;
  throw UserError({"the token '" + tokenizer.token_text(largest_id) + "'",
                   "id " + std::to_string(largest_id) + ", where the model's embedding has " +
                       std::to_string(vocabulary) + " rows",
                   "use a template whose tokens the model has, or the model's own tokenizer"});
}

void report(const data::EncodedRecords& records, const std::string& name,
            const config::Settings& settings, LogSink& log) {
  for (const std::string& line :
       records.report.lines(name, settings.data.cutoff_len, settings.model.split_special_tokens)) {
    log.warning(line);
  }
}

// Prepared before and kept by the user's wish, or prepared now (and then kept so).
data::PreparedData prepared(const config::Settings& settings,
                            const data::PreparationOptions& options, const data::Template& chat,
                            const data::Tokenizer& tokenizer, LogSink& log) {
  const std::optional<std::string>& kept = settings.data.tokenized_path;
  if (kept && data::has_tokenized(*kept)) {
    log.warning("records come prepared from " + *kept +
                " (tokenized_path); dataset and the other settings of data have no effect");
    return data::load_tokenized(*kept);
  }
  if (kept && settings.data.streaming) {
    throw UserError({"tokenized_path: " + *kept + ", streaming: true",
                     "a stream, whose records are not kept, and no prepared records there",
                     "prepare them once without streaming, or leave tokenized_path out"});
  }
  data::PreparedData made = data::prepare_data(options, chat, tokenizer, log);
  if (kept) {
    formats::PosixFileSystem system;
    data::save_tokenized(system, *kept, made);
    log.info("prepared records lie in " + *kept + "; with the same tokenized_path they are used");
  }
  return made;
}

}  // namespace

data::Template open_template(const config::Settings& settings, data::Tokenizer& tokenizer,
                             LogSink& log) {
  data::TemplateChoice choice = data::choose_template(settings.data.template_name, tokenizer);
  for (const std::string& note : choice.notes) log.warning(note);
  if (settings.data.train_on_prompt) data::check_prompts_can_be_learnt(choice.definition);
  data::TemplateOptions options;
  options.enable_thinking = settings.data.enable_thinking;
  options.preserve_thinking = settings.data.preserve_thinking;
  options.default_system = settings.data.default_system;
  options.tool_format = settings.data.tool_format;
  options.split_special_tokens = settings.model.split_special_tokens;
  data::Template chat(std::move(choice.definition), options);
  for (const std::string& note : tokenizer.notes()) log.warning(note);
  for (const std::string& note : chat.fix_tokenizer(tokenizer).notes) log.info(note);
  return chat;
}

TrainingData load_training_data(const config::Settings& settings, data::Tokenizer tokenizer,
                                std::int64_t vocabulary, int threads,
                                const std::filesystem::path& cache, LogSink& log, int ranks) {
  const data::Template chat = open_template(settings, tokenizer, log);
  data::PreparedData records = prepared(
      settings, preparation_options(settings, threads, cache, ranks), chat, tokenizer, log);
  TrainingData data{std::move(tokenizer),
                    std::move(records.files),
                    std::move(records.training),
                    std::move(records.evaluations),
                    {}};
  report(data.training, "training", settings, log);
  refuse_ids_beyond(records.largest_id, data.tokenizer, vocabulary);
  for (const data::NamedRecords& part : data.evaluations) {
    report(part.records, evaluation_title(part), settings, log);
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
                                    std::int64_t vocabulary, int threads,
                                    const std::filesystem::path& cache, LogSink& log) {
  const data::Template chat = open_template(settings, tokenizer, log);
  data::PreparationOptions options = preparation_options(settings, threads, cache);
  const bool split = options.eval_datasets.empty();
  const std::optional<std::string>& kept = settings.data.tokenized_path;
  const bool is_kept = kept && data::has_tokenized(*kept);
  // What would be trained on is not read where it is not split.
  if (!split) options.datasets.clear();
  data::PreparedData loaded =
      is_kept ? data::load_tokenized(*kept) : data::prepare_data(options, chat, tokenizer, log);
  if (is_kept && loaded.evaluations.empty()) {
    throw UserError({"tokenized_path: " + *kept, "no records to evaluate on in it",
                     "leave tokenized_path out, or name a folder that was made with val_size or "
                     "eval_dataset"});
  }
  EvaluationData data{std::move(loaded.files), std::move(loaded.evaluations), {}};
  refuse_ids_beyond(loaded.largest_id, tokenizer, vocabulary);
  for (const data::NamedRecords& part : data.sets) {
    report(part.records, evaluation_title(part), settings, log);
    if (part.records.dataset.total_predicted_labels() > 0) continue;
    throw UserError({"the " + evaluation_title(part) + " data", "no record with a token to measure",
                     "look at the answers' texts, at template, and at cutoff_len (" +
                         std::to_string(settings.data.cutoff_len) + ")"});
  }
  data.preview =
      data::preview_lines(data.sets.front().records.dataset, 0, tokenizer, "evaluation example:");
  return data;
}

std::string metric_prefix(const data::NamedRecords& records) {
  return records.name.empty() ? "eval" : "eval_" + records.name;
}

std::string evaluation_title(const data::NamedRecords& records) {
  return records.name.empty() ? "evaluation" : "evaluation " + records.name;
}

data::Purpose purpose_of(const config::Settings& settings) {
  return settings.finetuning.stage == config::Stage::pt ? data::Purpose::pretraining
                                                        : data::Purpose::supervised;
}

void check_dataset_names(const config::Settings& settings, FaultList& faults) {
  try {
    data::DatasetRegistry registry = data::DatasetRegistry::open(settings.data.dataset_dir);
    for (const std::string& name : settings.data.dataset) {
      registry.find(name, purpose_of(settings));
    }
    for (const std::string& name : settings.data.eval_dataset) {
      registry.find(name, purpose_of(settings), "eval_dataset");
    }
  } catch (const UserError& error) {
    faults.add(error);
  }
}

}  // namespace hone::assemble
