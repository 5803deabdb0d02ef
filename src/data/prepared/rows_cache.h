// Prepared rows kept for the next run, each under a key of everything that they were made of.
//
// Two runs at once do not disturb each other: each writes a folder of its own and renames it; who
// comes second uses the first one's. What a killed run left is removed after a day. Where nothing
// can be kept (no folder given, no space, no permission) rows stay in memory, with one note.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/log_sink.h"
#include "data/prepared/rows_folder.h"
#include "formats/file_system.h"

namespace hone::data {

struct RowsCacheOptions {
  std::filesystem::path folder;  // empty: nothing is kept
  bool overwrite = false;        // what is there is prepared anew and replaced
};

class RowsCache {
 public:
  // References must outlive the cache.
  RowsCache(RowsCacheOptions options, formats::FileSystem& system, LogSink& log);

  // Rows under `key` (16 or so letters and digits), or what `prepare` writes to the sink it is
  // given, kept under the key when `keep` says so afterwards. `prepare` is called again should the
  // first sink break. UserError: what `prepare` throws.
  PreparedRows get(const std::string& key, const std::function<RowsAbout(RowSink&)>& prepare,
                   const std::function<bool()>& keep);

  // How many were found, and how many were prepared.
  int found() const { return found_; }
  int prepared() const { return prepared_; }

 private:
  bool usable();
  std::filesystem::path work_folder(const std::string& key);
  void remove_leavings();
  bool write(const std::string& key, const std::function<RowsAbout(RowSink&)>& prepare,
             const std::function<bool()>& keep, PreparedRows& result);
  void give_up(const UserError& error);

  RowsCacheOptions options_;
  formats::FileSystem& system_;
  LogSink& log_;
  bool ready_ = false;
  int found_ = 0;
  int prepared_ = 0;
};

}  // namespace hone::data
