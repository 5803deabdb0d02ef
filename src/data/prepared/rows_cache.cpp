#include "data/prepared/rows_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <utility>

#include "base/error.h"
#include "formats/text_encoding.h"

namespace hone::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWorkEnding = ".partial";
constexpr std::chrono::hours kLeavingsAge{24};

// An error of writing, told apart from those of the data that is written.
struct CannotWrite {
  UserError error;
};

class GuardedSink final : public RowSink {
 public:
  GuardedSink(formats::FileSystem& system, const fs::path& folder) {
    guard([&] { writer_ = std::make_unique<RowsFolderWriter>(system, folder); });
  }
  void add(EncodedRow& row) override {
    guard([&] { writer_->add(row); });
  }
  void finish(const RowsAbout& about, const std::string& key) {
    guard([&] { writer_->finish(about, key); });
    writer_.reset();
  }

 private:
  template <class Write>
  static void guard(const Write& write) {
    try {
      write();
    } catch (const UserError& error) {
      throw CannotWrite{error};
    }
  }
  std::unique_ptr<RowsFolderWriter> writer_;
};

}  // namespace

RowsCache::RowsCache(RowsCacheOptions options, formats::FileSystem& system, LogSink& log)
    : options_(std::move(options)), system_(system), log_(log) {}

// Makes the folder, with its parents, the first time.
bool RowsCache::usable() {
  if (options_.folder.empty() || ready_) return ready_;
  try {
    fs::path made;
    for (const fs::path& part : fs::absolute(options_.folder)) {
      made /= part;
      std::error_code ignored;
      if (!fs::is_directory(made, ignored)) system_.create_folder(made);
    }
    ready_ = true;
    remove_leavings();
  } catch (const UserError& error) {
    give_up(error);
  }
  return ready_;
}

void RowsCache::give_up(const UserError& error) {
  log_.warning(fmt::format("prepared records are not kept for the next run: {} ({})",
                           error.faults().front().asked, error.faults().front().found));
  options_.folder.clear();
  ready_ = false;
}

void RowsCache::remove_leavings() {
  std::error_code error;
  const auto old = fs::file_time_type::clock::now() - kLeavingsAge;
  for (fs::directory_iterator entry(options_.folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& path = entry->path();
    std::error_code failed;
    if (path.extension() != kWorkEnding || fs::last_write_time(path, failed) > old || failed) {
      continue;
    }
    fs::remove_all(path, failed);
  }
}

fs::path RowsCache::work_folder(const std::string& key) {
  for (int attempt = 0;; ++attempt) {
    fs::path folder =
        options_.folder / fmt::format("{}.{}.{}{}", key, ::getpid(), attempt, kWorkEnding);
    std::error_code error;
    if (!fs::exists(folder, error)) return folder;
  }
}

bool RowsCache::write(const std::string& key, const std::function<RowsAbout(RowSink&)>& prepare,
                      const std::function<bool()>& keep, PreparedRows& result) {
  const fs::path work = work_folder(key);
  const fs::path folder = options_.folder / key;
  std::error_code ignored;
  try {
    GuardedSink sink(system_, work);
    const RowsAbout about = prepare(sink);
    sink.finish(about, key);
    if (keep()) {
      // Another run may have been first; what it wrote is the same.
      fs::rename(work, folder, ignored);
      result = open_rows_folder(ignored ? work : folder, key);
    } else {
      result = open_rows_folder(work, key);
    }
    fs::remove_all(work, ignored);  // what is mapped stays readable
    return true;
  } catch (const CannotWrite& fault) {
    fs::remove_all(work, ignored);
    give_up(fault.error);
    return false;
  } catch (...) {
    fs::remove_all(work, ignored);
    throw;
  }
}

PreparedRows RowsCache::get(const std::string& key,
                            const std::function<RowsAbout(RowSink&)>& prepare,
                            const std::function<bool()>& keep) {
  PreparedRows result;
  if (usable()) {
    const fs::path folder = options_.folder / key;
    std::error_code error;
    if (fs::exists(folder, error)) {
      try {
        if (!options_.overwrite) {
          result = open_rows_folder(folder, key);
          ++found_;
          return result;
        }
      } catch (const UserError& broken) {
        log_.info(fmt::format("prepared records in {} are made anew: {}",
                              formats::shown_path(folder), broken.faults().front().found));
      }
      fs::remove_all(folder, error);
    }
    ++prepared_;
    if (write(key, prepare, keep, result)) return result;
  } else {
    ++prepared_;
  }
  MemoryRows memory;
  result.about = prepare(memory);
  result.rows = memory.finish();
  return result;
}

}  // namespace hone::data
