// The ROCm installations of a machine, as files: nothing is loaded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "doctor/machine.h"

namespace hone::doctor {

struct RocmInstallation {
  std::string folder;        // "/opt/rocm"
  std::vector<int> version;  // 6, 4, 1; empty: not known
  std::string version_text;  // "6.4.1"
  bool has_headers = false;
};

struct Software {
  std::vector<RocmInstallation> rocm;  // the one that would be used first
  std::vector<std::string> folders;    // where libraries are looked for, in order
  std::vector<int> driver_version;     // of AMD's own driver package; empty: the kernel's driver
  std::string driver_text;

  // The version of the first one, or empty.
  std::vector<int> rocm_version() const;
};

Software find_software(const Machine& machine);

// Paths of files in these folders whose names begin so, in the order of the folders.
std::vector<std::string> libraries(const Machine& machine, const Software& software,
                                   std::string_view name);

}  // namespace hone::doctor
