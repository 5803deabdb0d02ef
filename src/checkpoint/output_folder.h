// The folder that a run writes to: may it be used, what is in it, and nobody else at the same time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/log_sink.h"
#include "formats/file_system.h"

namespace hone::checkpoint {

struct OutputFolderOptions {
  std::filesystem::path folder;
  bool overwrite = false;                      // overwrite_output_dir
  std::vector<std::filesystem::path> sources;  // folders that are read: model, adapters
};

// A folder that is written to, made with those above it when it is not there. What was made here
// and holds nothing at the end is removed again: a run that is refused leaves the disk as it was.
class WrittenFolder {
 public:
  // `setting` names the folder in errors (UserError): a file; cannot be made; one of `sources`.
  // `system` must outlive this.
  WrittenFolder(formats::FileSystem& system, const std::string& setting,
                const std::filesystem::path& folder,
                const std::vector<std::filesystem::path>& sources);
  WrittenFolder(const WrittenFolder&) = delete;
  WrittenFolder& operator=(const WrittenFolder&) = delete;
  ~WrittenFolder();

 private:
  void make_with_parents(const std::filesystem::path& folder);
  void remove_empty();

  formats::FileSystem& system_;
  std::vector<std::filesystem::path> made_;  // outermost first
};

// Holds a lock on the folder for as long as it lives; the system lets go of it when the process
// ends, however it ends.
class OutputFolder {
 public:
  // Makes the folder (WrittenFolder) and locks it; completes a final save that was stopped after
  // everything was written. With `overwrite` says what of an earlier run
  // will be replaced. Errors (UserError): a file; cannot be written; one of the sources; in use by
  // another run.
  OutputFolder(formats::FileSystem& system, const OutputFolderOptions& options, LogSink& log);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  // For a run from the start without `overwrite`. Errors (UserError): a finished model is there.
  void refuse_finished_model() const;

  // With `overwrite`: the checkpoints of hone that were there (for FolderSaverOptions::replaced).
  const std::vector<std::filesystem::path>& replaced() const { return replaced_; }

  const std::filesystem::path& path() const { return folder_; }

 private:
  void lock(LogSink& log);
  void unlock();
  void announce_replaced(LogSink& log);

  std::filesystem::path folder_;
  WrittenFolder written_;
  std::filesystem::path lock_file_;
  int lock_ = -1;
  std::vector<std::filesystem::path> replaced_;
};

// Weights of a finished model or adapter in a folder, by name; those of checkpoints do not count.
std::vector<std::string> finished_model_files(const std::filesystem::path& folder);

}  // namespace hone::checkpoint
