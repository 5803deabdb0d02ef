#include "assemble/data_preview.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>

#include "assemble/model_source.h"
#include "assemble/training_data.h"
#include "base/error.h"
#include "data/encoding/preview.h"
#include "data/sources/drops.h"
#include "report/units.h"

namespace hone::assemble {
namespace {

using report::count_text;

std::string amount(const data::EncodedDataset& dataset, const std::string& name) {
  return fmt::format("{}: {} records, {} tokens, {} of them labels, the longest record {}", name,
                     count_text(dataset.records()), count_text(dataset.total_tokens()),
                     count_text(dataset.total_counted_labels()),
                     count_text(dataset.longest_tokens()));
}

void append_record(const TrainingData& data, std::int64_t record, std::vector<std::string>& lines) {
  const data::EncodedDataset& dataset = data.training.dataset;
  const data::RecordOrigin& origin = data.training.origins[static_cast<std::size_t>(record)];
  const data::RecordSize& size = dataset.size(record);
  const auto starts = dataset.starts(record);
  const std::string packed =
      starts.empty()
          ? ""
          : fmt::format("; a pack of {}, {}, starting at {}", starts.size(),
                        size.sequences > 1 ? "each seeing itself alone" : "seen as one sequence",
                        fmt::join(starts, ", "));
  const std::string title = fmt::format(
      "record {}: {} of {}: {} tokens, {} labels{}", record + 1, data::shown_origin(origin, {}),
      data.files[static_cast<std::size_t>(origin.file)], size.tokens, size.counted_labels, packed);
  lines.emplace_back();
  for (std::string& line : data::preview_lines(dataset, record, data.tokenizer, title)) {
    lines.push_back(std::move(line));
  }
}

}  // namespace

std::vector<std::string> preview_data(const config::Settings& settings, std::int64_t count,
                                      const std::filesystem::path& cache, LogSink& log) {
  const ModelSource source = open_model(settings, {.weights_optional = true});
  const auto threads = static_cast<int>(
      settings.machine.threads.value_or(std::max(std::thread::hardware_concurrency(), 1u)));
  if (settings.data.dataset.empty()) {
    throw UserError({"dataset (not given)", "no data to show",
                     "set dataset to one or more names in dataset_info.json"});
  }
  const TrainingData data = load_training_data(settings, source.tokenizer(),
                                               source.description.vocabulary, threads, cache, log);
  std::vector<std::string> lines = {amount(data.training.dataset, "training")};
  for (const data::NamedRecords& part : data.evaluations) {
    lines.push_back(amount(part.records.dataset, evaluation_title(part)));
  }
  const std::int64_t shown = std::min(count, data.training.dataset.records());
  for (std::int64_t record = 0; record < shown; ++record) append_record(data, record, lines);
  return lines;
}

}  // namespace hone::assemble
