// A file system that passes everything on and keeps size and checksum of each file written.
#pragma once

#include <map>
#include <string>

#include "checkpoint/run_state.h"
#include "formats/checksum.h"
#include "formats/file_system.h"

namespace hone::checkpoint {

class RecordingFiles final : public formats::FileSystem {
 public:
  // `system` must outlive this object.
  explicit RecordingFiles(formats::FileSystem& system) : system_(system) {}

  // Of every file created, by its name within its folder.
  std::map<std::string, FileRecord> records() const {
    std::map<std::string, FileRecord> records;
    for (const auto& [name, checksum] : checksums_) {
      records[name] = {checksum.size_bytes(), checksum.text()};
    }
    return records;
  }

  Handle create(const std::filesystem::path& file) override {
    checksums_[file.filename().string()] = formats::Checksum();
    return system_.create(file);
  }
  void write(Handle handle, const std::filesystem::path& file,
             std::span<const std::byte> bytes) override {
    checksums_[file.filename().string()].add(bytes);
    system_.write(handle, file, bytes);
  }
  void sync(Handle handle, const std::filesystem::path& file) override {
    system_.sync(handle, file);
  }
  void close(Handle handle) override { system_.close(handle); }
  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    system_.rename(from, to);
  }
  void remove(const std::filesystem::path& file) override { system_.remove(file); }
  void create_folder(const std::filesystem::path& folder) override {
    system_.create_folder(folder);
  }
  void sync_folder(const std::filesystem::path& folder) override { system_.sync_folder(folder); }

 private:
  formats::FileSystem& system_;
  std::map<std::string, formats::Checksum> checksums_;
};

}  // namespace hone::checkpoint
