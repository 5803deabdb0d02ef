// What of a run's state lies in files on a local disk (device/cpu/file_device.h): offload to nvme.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "device/cpu/file_device.h"
#include "memory/arena.h"
#include "memory/buffer_list.h"
#include "memory/done_with.h"

namespace hone::assemble {

// An update works through state in files in pieces of so many elements; what lies between them is
// on the disk.
inline constexpr std::int64_t kPieceElements = std::int64_t{4} << 20;

class OffloadFiles {
 public:
  OffloadFiles() = default;
  OffloadFiles(OffloadFiles&&) = default;
  OffloadFiles& operator=(OffloadFiles&&) = default;

  // These buffers, "optimizer state", lie in files of `folder`, because `asked` says so. The list
  // must outlive this object. Of the memory that the pieces at work take, rows are added to `plan`.
  void add(const std::string& what, const std::filesystem::path& folder, const std::string& asked,
           const BufferList& buffers, Plan& plan);

  bool empty() const { return stores_.empty(); }
  std::size_t bytes_of(Category category) const;
  // "optimizer state: 12.3 GiB in files of /fast", a line each.
  std::vector<std::string> summary() const;

  // Throws UserError for a folder that cannot hold them.
  void check() const;

  // Makes the files, and binds the buffers to them.
  void take();

  // For those who work on what lies in files. This object must outlive it, and stay where it is.
  DoneWith done_with();
  void set_all_aside();

 private:
  struct Store {
    std::string what;
    std::filesystem::path folder;
    std::string asked;
    const BufferList* buffers;
    Plan plan;
    std::unique_ptr<FileDevice> device;
    std::unique_ptr<Arena> arena;
  };
  std::vector<Store> stores_;
};

}  // namespace hone::assemble
