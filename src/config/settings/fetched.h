// What settings name on a hub, once it is on this machine: filled in before a run is assembled.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hone::config {

struct Fetched {
  // The name that was written, where model_name_or_path is now the folder of it.
  std::optional<std::string> model_named;
  std::map<std::string, std::vector<std::filesystem::path>> datasets;  // by name of the registry
};

}  // namespace hone::config
