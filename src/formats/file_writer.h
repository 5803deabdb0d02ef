// Files that are there whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "formats/file_system.h"

namespace hone::formats {

// Writes one file from front to back.
//
// Protocol: construct, write() any number of times, commit() once. `atomic` writes to
// `<name>.partial`, and commit() syncs it, renames it to its name and syncs the folder: whoever
// looks, at any instant and after any power cut, sees the old file or the new one. `in_place`
// writes to the name itself and commit() only syncs it, for files inside a folder that is itself
// renamed when it is complete. A writer that goes without commit() removes what it wrote.
class FileWriter {
 public:
  enum class Placement { atomic, in_place };

  // `files` must outlive the writer.
  FileWriter(FileSystem& files, std::filesystem::path file,
             Placement placement = Placement::atomic);
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter();

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();

  std::uint64_t written_bytes() const { return written_bytes_; }
  const std::filesystem::path& path() const { return file_; }

 private:
  void flush();

  FileSystem& files_;
  std::filesystem::path file_;
  std::filesystem::path open_name_;  // where the bytes go until commit
  Placement placement_;
  FileSystem::Handle handle_;
  bool open_ = true;
  bool committed_ = false;
  std::vector<std::byte> buffer_;
  std::uint64_t written_bytes_ = 0;
};

// The whole of a small file, atomically.
void write_whole_file(FileSystem& files, const std::filesystem::path& file, std::string_view text);

}  // namespace hone::formats
