#include "doctor/software.h"

#include <algorithm>

namespace hone::doctor {
namespace {

std::vector<std::string> candidate_folders(const Machine& machine) {
  std::vector<std::string> folders;
  if (const auto path = machine.variable("ROCM_PATH")) folders.push_back(*path);
  folders.emplace_back("/opt/rocm");
  for (const std::string& name : machine.names("/opt")) {
    if (name.rfind("rocm-", 0) == 0) folders.push_back("/opt/" + name);
  }
  return folders;
}

bool is_installation(const Machine& machine, const std::string& folder) {
  return machine.exists(folder + "/.info/version") || machine.exists(folder + "/include/hip") ||
         machine.exists(folder + "/lib");
}

void add(const Machine& machine, const std::string& folder, Software& software) {
  if (!is_installation(machine, folder)) return;
  RocmInstallation found;
  found.folder = folder;
  found.version_text = machine.text_or_empty(folder + "/.info/version");
  found.version_text = found.version_text.substr(0, found.version_text.find('-'));
  found.version = version_numbers(found.version_text);
  found.has_headers = machine.exists(folder + "/include/hip/hip_runtime.h");
  const bool known =
      std::any_of(software.rocm.begin(), software.rocm.end(), [&](const auto& other) {
        return other.folder == folder || (!found.version.empty() && other.version == found.version);
      });
  if (!known) software.rocm.push_back(found);
}

void add_path_list(const std::string& list, std::vector<std::string>& folders) {
  std::size_t start = 0;
  while (start <= list.size()) {
    const std::size_t end = std::min(list.find(':', start), list.size());
    if (end > start) folders.push_back(list.substr(start, end - start));
    start = end + 1;
  }
}

}  // namespace

std::vector<int> Software::rocm_version() const {
  return rocm.empty() ? std::vector<int>() : rocm.front().version;
}

Software find_software(const Machine& machine) {
  Software found;
  for (const std::string& folder : candidate_folders(machine)) add(machine, folder, found);
  if (const auto list = machine.variable("LD_LIBRARY_PATH")) add_path_list(*list, found.folders);
  for (const RocmInstallation& rocm : found.rocm) found.folders.push_back(rocm.folder + "/lib");
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64",
                             "/usr/lib", "/usr/local/lib"}) {
    found.folders.emplace_back(folder);
  }
  found.driver_text = machine.text_or_empty("/sys/module/amdgpu/version");
  found.driver_version = version_numbers(found.driver_text);
  return found;
}

std::vector<std::string> libraries(const Machine& machine, const Software& software,
                                   std::string_view name) {
  std::vector<std::string> found;
  for (const std::string& folder : software.folders) {
    for (const std::string& file : machine.names(folder)) {
      if (file.rfind(name, 0) == 0) found.push_back(folder + "/" + file);
    }
  }
  return found;
}

}  // namespace hone::doctor
