// A file system that stops, as a machine does: after a number of operations nothing happens any
// more. What was not synced can then be dropped; nothing is really synced, which takes time.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "formats/file_system.h"

namespace hone::formats {

// Writes without waiting for the disk.
class UnsyncedFileSystem final : public FileSystem {
 public:
  Handle create(const std::filesystem::path& file) override { return real_.create(file); }
  void write(Handle handle, const std::filesystem::path& file,
             std::span<const std::byte> bytes) override {
    real_.write(handle, file, bytes);
  }
  void sync(Handle, const std::filesystem::path&) override {}
  void close(Handle handle) override { real_.close(handle); }
  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    real_.rename(from, to);
  }
  void remove(const std::filesystem::path& file) override { real_.remove(file); }
  void create_folder(const std::filesystem::path& folder) override { real_.create_folder(folder); }
  void sync_folder(const std::filesystem::path&) override {}

 private:
  PosixFileSystem real_;
};

struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("the machine stopped") {}
};

// Every operation counts as one, but close(). Operation `last` (1 is the first) is the last that is
// done; the one after throws Stopped, as do all later ones. For a write in between, `torn` does
// half of the write that fails.
class StoppingFileSystem final : public FileSystem {
 public:
  explicit StoppingFileSystem(int last, bool torn = false) : last_(last), torn_(torn) {}

  int operations() const { return operations_; }

  Handle create(const std::filesystem::path& file) override {
    step();
    const bool is_new = !std::filesystem::exists(file);
    const Handle handle = real_.create(file);
    if (is_new) unsynced_names_[file.parent_path()].push_back({Change::created, file, {}});
    unsynced_bytes_[file] = 0;
    return handle;
  }
  void write(Handle handle, const std::filesystem::path& file,
             std::span<const std::byte> bytes) override {
    if (operations_ == last_ && torn_) real_.write(handle, file, bytes.first(bytes.size() / 2));
    step();
    real_.write(handle, file, bytes);
  }
  void sync(Handle, const std::filesystem::path& file) override {
    step();
    unsynced_bytes_.erase(file);
  }
  void close(Handle handle) override { real_.close(handle); }
  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    step();
    Change change{Change::renamed, to, from};
    if (std::filesystem::is_regular_file(to)) change.replaced = contents(to);
    real_.rename(from, to);
    move_unsynced(from, to);
    unsynced_names_[to.parent_path()].push_back(change);
  }
  void remove(const std::filesystem::path& file) override {
    step();
    real_.remove(file);
    unsynced_bytes_.erase(file);
  }
  void create_folder(const std::filesystem::path& folder) override {
    step();
    real_.create_folder(folder);
  }
  void sync_folder(const std::filesystem::path& folder) override {
    step();
    unsynced_names_.erase(folder);
  }

  // What a power cut does to what was not synced: bytes are lost (files become empty), renames and
  // new names are undone. Removals stay done: a writer may not count on either.
  void drop_unsynced() {
    for (const auto& [file, from] : unsynced_bytes_) {
      if (std::filesystem::exists(file)) std::filesystem::resize_file(file, from);
    }
    for (auto& [folder, changes] : unsynced_names_) {
      for (auto change = changes.rbegin(); change != changes.rend(); ++change) undo(*change);
    }
  }

 private:
  struct Change {
    enum Kind { created, renamed } kind;
    std::filesystem::path name;
    std::filesystem::path from;
    std::string replaced = {};  // what the rename replaced, when not empty
  };

  void step() {
    if (operations_ >= last_) throw Stopped();
    ++operations_;
  }

  // What is not safe of a file, or in a folder and below, goes with its name.
  void move_unsynced(const std::filesystem::path& from, const std::filesystem::path& to) {
    const auto moved = [&](const std::filesystem::path& path) {
      const std::filesystem::path inside = path.lexically_relative(from);
      const bool is_inside = !inside.empty() && *inside.begin() != "..";
      return is_inside ? inside == "." ? to : to / inside : path;
    };
    std::map<std::filesystem::path, std::uintmax_t> bytes;
    for (const auto& [file, safe] : unsynced_bytes_) bytes[moved(file)] = safe;
    unsynced_bytes_ = std::move(bytes);
    std::map<std::filesystem::path, std::vector<Change>> names;
    for (auto& [folder, changes] : unsynced_names_) {
      if (moved(folder) != folder) {
        for (Change& change : changes) {
          change.name = moved(change.name);
          change.from = moved(change.from);
        }
      }
      names[moved(folder)] = std::move(changes);
    }
    unsynced_names_ = std::move(names);
  }

  static std::string contents(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  static void undo(const Change& change) {
    if (!std::filesystem::exists(change.name)) return;
    if (change.kind == Change::created) {
      std::filesystem::remove(change.name);
      return;
    }
    std::filesystem::rename(change.name, change.from);
    if (!change.replaced.empty()) {
      std::ofstream(change.name, std::ios::binary) << change.replaced;
    }
  }

  PosixFileSystem real_;
  int last_;
  bool torn_;
  int operations_ = 0;
  std::map<std::filesystem::path, std::uintmax_t> unsynced_bytes_;  // file: bytes that are safe
  std::map<std::filesystem::path, std::vector<Change>> unsynced_names_;  // by folder
};

}  // namespace hone::formats
