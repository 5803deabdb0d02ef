#include "checkpoint/output_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "base/error.h"
#include "checkpoint/checkpoint_folders.h"
#include "checkpoint/final_model.h"
#include "checkpoint/run_state.h"
#include "formats/regular_file.h"

namespace hone::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSetting = "output_dir";
constexpr const char* kLockName = ".hone.lock";

std::string asked_for(const std::string& setting, const fs::path& folder) {
  return setting + ": " + formats::shown_path(folder);
}

bool starts_with(const std::string& text, std::string_view start) {
  return text.compare(0, start.size(), start) == 0;
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_weights_name(const std::string& name) {
  constexpr std::array<std::string_view, 6> kNames = {
      "model.safetensors",         "model.safetensors.index.json",
      "pytorch_model.bin",         "pytorch_model.bin.index.json",
      "adapter_model.safetensors", "adapter_model.bin"};
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return true;
  return starts_with(name, "model-") && ends_with(name, ".safetensors") &&
         name.find("-of-") != std::string::npos;
}

// The folder itself, or the nearest of those above it that is there.
fs::path nearest_existing(fs::path folder) {
  std::error_code ignored;
  while (!fs::exists(folder, ignored) && folder.has_parent_path() &&
         folder.parent_path() != folder) {
    folder = folder.parent_path();
  }
  return folder;
}

fs::path absolute_folder(const fs::path& folder) {
  const fs::path absolute = fs::absolute(folder).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

// What the holder of the lock wrote into it: its process number.
std::string holder_of(int lock) {
  std::array<char, 32> text = {};
  const ssize_t length = ::pread(lock, text.data(), text.size() - 1, 0);
  std::string number;
  for (ssize_t i = 0; i < length && text[static_cast<std::size_t>(i)] >= '0' &&
                      text[static_cast<std::size_t>(i)] <= '9';
       ++i) {
    number += text[static_cast<std::size_t>(i)];
  }
  return number;
}

// Whether the open file still has its name: its holder removes it when it is done.
bool has_name(int lock, const fs::path& file) {
  struct stat open_file {};
  struct stat named_file {};
  return ::fstat(lock, &open_file) == 0 && ::stat(file.c_str(), &named_file) == 0 &&
         open_file.st_ino == named_file.st_ino && open_file.st_dev == named_file.st_dev;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

OutputFolder::OutputFolder(formats::FileSystem& system, const OutputFolderOptions& options,
                           LogSink& log)
    : folder_(absolute_folder(options.folder)),
      written_(system, kSetting, folder_, options.sources),
      lock_file_(folder_ / kLockName) {
  lock(log);
  try {
    if (finish_final_model(system, folder_)) {
      log.info("completed the model in " + folder_.string() +
               ": its save was stopped after everything was written");
    }
  } catch (...) {
    unlock();
    throw;
  }
  if (options.overwrite) announce_replaced(log);
}

OutputFolder::~OutputFolder() {
  unlock();
}

void OutputFolder::unlock() {
  if (lock_ < 0) return;
  // Removed while it is held: who waits for it sees that it has lost its name.
  ::unlink(lock_file_.c_str());
  ::close(lock_);
  lock_ = -1;
}

void OutputFolder::lock(LogSink& log) {
  while (true) {
    lock_ = ::open(lock_file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock_ < 0) {
      Fault fault = formats::system_fault("write", folder_, errno);
      fault.asked = asked_for(kSetting, folder_);
      fault.found = "it cannot be written to: " + fault.found;
      throw UserError(std::move(fault));
    }
    if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) {
        ::close(lock_);
        continue;
      }
      if (errno != EWOULDBLOCK) break;
      const std::string holder = holder_of(lock_);
      ::close(lock_);
      lock_ = -1;
      throw UserError({asked_for(kSetting, folder_),
                       "in use by another run" + (holder.empty() ? "" : ": process " + holder),
                       "wait for it to end, or choose another output_dir"});
    }
    if (has_name(lock_, lock_file_)) {
      const std::string number = std::to_string(::getpid()) + "\n";
      // Only for the message of who finds it locked.
      if (::ftruncate(lock_, 0) == 0 && ::write(lock_, number.data(), number.size()) > 0) return;
      return;
    }
    ::close(lock_);
  }
  log.warning(asked_for(kSetting, folder_) +
              " lies on a file system without locks: " + std::generic_category().message(errno) +
              "; see to it that no other run writes there");
}

void OutputFolder::refuse_finished_model() const {
  const std::vector<std::string> files = finished_model_files(folder_);
  if (files.empty()) return;
  throw UserError({asked_for(kSetting, folder_),
                   "it already exists and is not empty: a finished model (" + joined(files) + ")",
                   "choose another output_dir, or set overwrite_output_dir: true"});
}

void OutputFolder::announce_replaced(LogSink& log) {
  std::error_code ignored;
  std::vector<std::string> names;
  for (const fs::path& folder : checkpoint_folders(folder_)) {
    // Only what hone wrote is ever removed.
    if (!fs::exists(folder / kStateFile, ignored)) continue;
    replaced_.push_back(folder);
    names.push_back(folder.filename().string());
  }
  for (const std::string& name : finished_model_files(folder_)) names.push_back(name);
  if (names.empty()) return;
  log.info("overwrite_output_dir: starting anew; this run's first save replaces, in " +
           folder_.string() + ": " + joined(names));
}

WrittenFolder::WrittenFolder(formats::FileSystem& system, const std::string& setting,
                             const fs::path& folder, const std::vector<fs::path>& sources)
    : system_(system) {
  std::error_code ignored;
  const fs::path existing = nearest_existing(folder);
  if (fs::exists(existing, ignored) && !fs::is_directory(existing, ignored)) {
    throw UserError({asked_for(setting, folder), existing.string() + " is a file",
                     "name a folder, or one that is not there yet"});
  }
  for (const fs::path& source : sources) {
    if (!fs::equivalent(folder, source, ignored)) continue;
    throw UserError({asked_for(setting, folder),
                     "the folder that the run reads from: " + source.string(),
                     "choose another folder: what is read is never written to"});
  }
  try {
    make_with_parents(folder);
  } catch (...) {
    remove_empty();
    throw;
  }
}

WrittenFolder::~WrittenFolder() {
  remove_empty();
}

void WrittenFolder::make_with_parents(const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) return;
  if (folder.has_parent_path() && folder.parent_path() != folder) {
    make_with_parents(folder.parent_path());
  }
  system_.create_folder(folder);
  made_.push_back(folder);
}

void WrittenFolder::remove_empty() {
  std::error_code ignored;
  try {
    for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) {
      if (!fs::is_empty(*folder, ignored) || ignored) return;
      system_.remove(*folder);
    }
  } catch (...) {
    // Somebody put something there in this moment, or the folder may not be touched: it stays.
  }
}

std::vector<std::string> finished_model_files(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (is_weights_name(name)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace hone::checkpoint
