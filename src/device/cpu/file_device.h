// Memory that lies in files on a local disk, for state that is seldom touched: DeepSpeed's offload
// to nvme.
//
// The files have no name, so that nothing is left behind however the process ends, and all their
// room is taken at once. Bytes come in when they are touched; whoever knows that he is done with
// some says so by set_aside(), and the system writes them to the disk and gives their memory to
// others when it wants it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "device/interface/device.h"

namespace hone {

class FileDevice final : public Device {
 public:
  // Throws UserError when the folder is not there, cannot be written, or lies in memory itself.
  // `asked` is who named it, for people.
  FileDevice(std::filesystem::path folder, std::string asked);

  const DeviceProperties& properties() const override { return properties_; }

  // Throws UserError when the disk has not that much room.
  void* allocate(std::size_t bytes) override;
  void release(void* memory, std::size_t bytes) override;
  void copy_in(void* device, const void* host, std::size_t bytes) override;
  void copy_out(void* host, const void* device, std::size_t bytes) override;
  void fill_zero(void* device, std::size_t bytes) override;

  // These bytes will not be touched for a while. Does nothing for memory that is not of this
  // device.
  void set_aside(const void* memory, std::size_t bytes);
  void set_all_aside();

 private:
  struct Mapping {
    std::byte* begin;
    std::size_t bytes;
  };

  std::filesystem::path folder_;
  std::string asked_;
  DeviceProperties properties_;
  std::vector<Mapping> mappings_;
};

}  // namespace hone
