#include "checkpoint/open_checkpoint.h"

#include "checkpoint/checkpoint_folders.h"
#include "formats/checksum.h"
#include "formats/json.h"
#include "formats/model_folder.h"
#include "formats/regular_file.h"
#include "formats/whole_file.h"

namespace hone::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy = "use an older checkpoint, or train from the start";

std::string asked_for(const fs::path& folder) {
  return "checkpoint " + formats::shown_path(folder);
}

[[noreturn]] void refuse_folder(const fs::path& folder, std::string found, std::string remedy) {
  throw UserError({asked_for(folder), std::move(found), std::move(remedy)});
}

RunState read_state(const fs::path& folder) {
  const fs::path file = folder / kStateFile;
  return parse_run_state(formats::read_whole_file(file, formats::kMaxJsonFileBytes),
                         formats::shown_path(file));
}

void refuse_other_folders(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) {
    refuse_folder(folder, "no such folder", "name a folder called checkpoint-<step>");
  }
  if (!fs::is_directory(folder, ignored)) {
    refuse_folder(folder, "a file", "name a folder called checkpoint-<step>");
  }
  if (fs::exists(folder / kStateFile, ignored)) return;
  if (fs::exists(folder / kTrainerStateFile, ignored)) {
    refuse_folder(folder, "no hone_state.json in it: another program wrote it",
                  "hone goes on from its own checkpoints only; name it as adapter_name_or_path or "
                  "model_name_or_path to start from its weights");
  }
  refuse_folder(folder, "not a checkpoint: no hone_state.json in it",
                "name a folder called checkpoint-<step> that hone wrote");
}

// What is wrong with the size of a file; empty for nothing.
std::string size_fault(const fs::path& folder, const std::string& name, const FileRecord& record) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(folder / name, error);
  if (error) return "missing: " + name;
  if (size == record.size_bytes) return {};
  return name + " has " + std::to_string(size) + " bytes, where " +
         std::to_string(record.size_bytes) + " were written";
}

std::string content_fault(const fs::path& folder, const std::string& name,
                          const FileRecord& record) {
  const fs::path file = formats::resolve_in_folder(folder, name, asked_for(folder));
  std::string fault = size_fault(folder, name, record);
  if (fault.empty() && formats::checksum_of_file(file).text() != record.xxh64) {
    fault = name + " has other bytes than were written";
  }
  return fault;
}

}  // namespace

Checkpoint open_checkpoint(const fs::path& folder) {
  refuse_other_folders(folder);
  Checkpoint checkpoint{folder, read_state(folder), {}};
  FaultList faults;
  if (checkpoint.state.files.count(kTrainerStateFile) == 0) {
    faults.add({asked_for(folder), "hone_state.json lists no trainer_state.json", kRemedy});
  }
  for (const auto& [name, record] : checkpoint.state.files) {
    try {
      std::error_code ignored;
      std::string fault = fs::exists(folder / name, ignored) ? content_fault(folder, name, record)
                                                             : "missing: " + name;
      if (!fault.empty()) faults.add({asked_for(folder), std::move(fault), kRemedy});
    } catch (const UserError& error) {
      faults.add(error);
    }
  }
  faults.throw_if_any();
  checkpoint.trainer_state =
      formats::read_whole_file(folder / kTrainerStateFile, formats::kMaxJsonFileBytes);
  return checkpoint;
}

std::string Checkpoint::identity() const {
  formats::Checksum checksum;
  checksum.add(run_state_text(state));
  return checksum.text();
}

bool saved_since(const fs::path& output_dir, fs::file_time_type time) {
  for (const fs::path& checkpoint : checkpoint_folders(output_dir)) {
    std::error_code error;
    const fs::file_time_type written = fs::last_write_time(checkpoint / kStateFile, error);
    if (!error && written >= time) return true;
  }
  return false;
}

bool has_all_files(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder / kStateFile, ignored)) return false;
  try {
    for (const auto& [name, record] : read_state(folder).files) {
      if (!size_fault(folder, name, record).empty()) return false;
    }
  } catch (const UserError&) {
    return false;
  }
  return true;
}

}  // namespace hone::checkpoint
