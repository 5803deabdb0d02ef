#include "checkpoint/folder_saver.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/error.h"
#include "checkpoint/checkpoint_folders.h"
#include "checkpoint/open_checkpoint.h"
#include "checkpoint/recording_files.h"
#include "checkpoint/run_state.h"
#include "formats/safetensors_writer.h"

namespace hone::checkpoint {
namespace {

namespace fs = std::filesystem;

void write_optimizer(formats::FileSystem& system, const fs::path& file,
                     const std::vector<SavedArray>& arrays) {
  std::vector<formats::TensorSpec> specs;
  for (const SavedArray& array : arrays) {
    specs.push_back({array.name, array.values.dtype(), {array.values.elements()}});
  }
  formats::SafetensorsWriter writer(system, file, specs, {{"format", "pt"}},
                                    formats::FileWriter::Placement::in_place);
  for (const formats::TensorSpec& spec : writer.order()) {
    const auto array = std::find_if(arrays.begin(), arrays.end(), [&](const auto& candidate) {
      return candidate.name == spec.name;
    });
    array->values.for_each_piece(0, [&](const ConstTensorView& piece) {
      writer.write({static_cast<const std::byte*>(piece.raw()), piece.bytes()});
    });
  }
  writer.commit();
}

}  // namespace

FolderSaver::FolderSaver(formats::FileSystem& system, FolderSaverOptions options, ModelFiles model,
                         const ParameterRegistry& registry, const FlatLayout& layout,
                         std::vector<SavedArray> optimizer, LogSink& log)
    : system_(system),
      options_(std::move(options)),
      model_(std::move(model)),
      trainable_elements_(layout.elements()),
      trainable_layout_(fingerprint_of(registry, layout)),
      optimizer_(std::move(optimizer)),
      log_(log) {}

SavedCheckpoint FolderSaver::save(const RunPosition& position) {
  const fs::path folder = checkpoint_folder(options_.output_dir, position.step);
  const fs::path partial = partial_name(folder);
  formats::remove_tree(system_, partial);
  SavedCheckpoint saved;
  try {
    saved = write(partial, position);
  } catch (const UserError&) {
    // Most likely a full disk: what was written of this one only keeps others from their space.
    try {
      formats::remove_tree(system_, partial);
    } catch (const UserError&) {
    }
    throw;
  }
  replace(partial, folder);
  remove_old(folder);
  saved.path = folder.string();
  return saved;
}

SavedCheckpoint FolderSaver::write(const fs::path& partial, const RunPosition& position) {
  system_.create_folder(partial);
  RecordingFiles recorder(system_);
  write_model_files(recorder, partial, model_);
  write_text(recorder, partial / kTrainerStateFile, position.trainer_state);
  RunState state;
  state.step = position.step;
  state.optimizer_updates = position.optimizer_updates;
  state.tokens_seen = position.tokens_seen;
  state.facts = options_.facts;
  state.trainable_elements = trainable_elements_;
  state.trainable_layout = trainable_layout_;
  if (!options_.only_model) {
    write_optimizer(recorder, partial / kOptimizerFile, optimizer_);
    state.optimizer.emplace();
    for (const SavedArray& array : optimizer_) state.optimizer->push_back(array.name);
  }
  state.files = recorder.records();
  const std::string text = run_state_text(state);
  write_text(system_, partial / kStateFile, text);
  system_.sync_folder(partial);
  system_.sync_folder(options_.output_dir);
  SavedCheckpoint saved;
  saved.size_bytes = text.size();
  for (const auto& [name, record] : state.files) saved.size_bytes += record.size_bytes;
  return saved;
}

void FolderSaver::replace(const fs::path& partial, const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> outgoing = std::exchange(options_.replaced, {});
  if (std::find(outgoing.begin(), outgoing.end(), folder) == outgoing.end()) {
    outgoing.push_back(folder);
  }
  for (const fs::path& old : outgoing) {
    if (!fs::exists(old, ignored)) continue;
    formats::remove_tree(system_, removed_name(old));
    system_.rename(old, removed_name(old));
  }
  system_.rename(partial, folder);
  system_.sync_folder(options_.output_dir);
}

void FolderSaver::remove_old(const fs::path& newest) {
  const std::int64_t limit = options_.total_limit.value_or(0);
  std::vector<fs::path> others;
  for (const fs::path& folder : checkpoint_folders(options_.output_dir)) {
    if (folder != newest && has_all_files(folder)) others.push_back(folder);
  }
  // The newest is kept whatever its number: a run may have gone back to an earlier step.
  const std::int64_t kept = limit > 0 ? limit - 1 : static_cast<std::int64_t>(others.size());
  for (std::int64_t i = 0; i + kept < static_cast<std::int64_t>(others.size()); ++i) {
    const fs::path& old = others[static_cast<std::size_t>(i)];
    formats::remove_tree(system_, removed_name(old));
    system_.rename(old, removed_name(old));
    log_.info("removed " + old.string() + " (save_total_limit: " + std::to_string(limit) + ")");
  }
  std::vector<fs::path> leftovers = removed_folders(options_.output_dir);
  for (const fs::path& partial : partial_folders(options_.output_dir)) leftovers.push_back(partial);
  for (const fs::path& leftover : leftovers) formats::remove_tree(system_, leftover);
  if (!leftovers.empty()) system_.sync_folder(options_.output_dir);
}

}  // namespace hone::checkpoint
