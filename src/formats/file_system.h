// The operations by which files come into being, each one a step at which a machine can stop.
//
// Everything that must survive a power cut is written through this interface, so that tests can
// stop it before and after each operation, or drop what was not synced. All errors are UserErrors
// that name the file and the system's reason.
//
// What POSIX promises, and so what a writer must do: bytes are safe after sync(); a name (a new
// file, a rename, a removal) is safe after sync_folder() of its folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace hone::formats {

class FileSystem {
 public:
  using Handle = int;

  virtual ~FileSystem() = default;

  // Opens for writing; an existing file is emptied.
  virtual Handle create(const std::filesystem::path& file) = 0;
  // Appends all bytes. `file` is the name for errors, here and below.
  virtual void write(Handle handle, const std::filesystem::path& file,
                     std::span<const std::byte> bytes) = 0;
  virtual void sync(Handle handle, const std::filesystem::path& file) = 0;
  // Never fails: what matters was synced before.
  virtual void close(Handle handle) = 0;
  // Replaces `to` when it is a file, or an empty folder and `from` is one.
  virtual void rename(const std::filesystem::path& from, const std::filesystem::path& to) = 0;
  // A file, a link, or an empty folder.
  virtual void remove(const std::filesystem::path& file) = 0;
  // One level; nothing happens when the folder is there already.
  virtual void create_folder(const std::filesystem::path& folder) = 0;
  virtual void sync_folder(const std::filesystem::path& folder) = 0;
};

// The real thing.
class PosixFileSystem final : public FileSystem {
 public:
  Handle create(const std::filesystem::path& file) override;
  void write(Handle handle, const std::filesystem::path& file,
             std::span<const std::byte> bytes) override;
  void sync(Handle handle, const std::filesystem::path& file) override;
  void close(Handle handle) override;
  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override;
  void remove(const std::filesystem::path& file) override;
  void create_folder(const std::filesystem::path& folder) override;
  void sync_folder(const std::filesystem::path& folder) override;
};

// Removes a folder and all below it, deepest first, each by one remove(); links are removed, not
// followed. Nothing happens when it is not there.
void remove_tree(FileSystem& files, const std::filesystem::path& folder);

}  // namespace hone::formats
