#include "checkpoint/final_model.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "checkpoint/output_folder.h"
#include "formats/json.h"
#include "formats/json_writer.h"

namespace hone::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStaging = "model.partial";
constexpr const char* kList = "files.json";
// By which readers know that there is a model.
constexpr std::array<const char*, 2> kMarkers = {"config.json", "adapter_config.json"};

bool is_marker(const std::string& name) {
  return std::find(kMarkers.begin(), kMarkers.end(), name) != kMarkers.end();
}

// The files of the new model, which are all in the staging folder when this list is.
std::vector<std::string> read_list(const fs::path& staging) {
  std::vector<std::string> names;
  try {
    const formats::Value list = formats::read_json(staging / kList);
    if (!list.is_array()) return {};
    for (const formats::Value& name : list.array()) {
      if (!name.is_string()) return {};
      names.push_back(name.string());
    }
  } catch (const UserError&) {
    return {};  // cut short, or not there
  }
  return names;
}

std::string list_text(const std::vector<std::string>& names) {
  formats::Array list;
  for (const std::string& name : names) list.emplace_back(name);
  return formats::dump_python(list) + "\n";
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// Removes the old model's configuration, and what of its weights would stay beside the new one.
void remove_old_model(formats::FileSystem& system, const fs::path& folder,
                      const std::vector<std::string>& names) {
  for (const char* marker : kMarkers) {
    if (is_there(folder / marker)) system.remove(folder / marker);
  }
  // Gone for good before the first new file takes the place of an old one.
  system.sync_folder(folder);
  for (const std::string& name : finished_model_files(folder)) {
    const bool pickled = name.find(".bin") != std::string::npos;  // never written by hone
    const bool is_new = std::find(names.begin(), names.end(), name) != names.end();
    if (!pickled && !is_new) system.remove(folder / name);
  }
}

// Renames what lies in the staging folder into place; may be called again after a stop.
void commit(formats::FileSystem& system, const fs::path& folder,
            const std::vector<std::string>& names) {
  const fs::path staging = folder / kStaging;
  const auto rename_staged = [&](bool markers) {
    for (const std::string& name : names) {
      if (is_marker(name) != markers || !is_there(staging / name)) continue;
      system.rename(staging / name, folder / name);
    }
    system.sync_folder(folder);
  };
  // After the configuration is in place nothing is left but to clear away.
  const bool begun_anew = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return is_marker(name) && is_there(staging / name);
  });
  if (begun_anew) {
    remove_old_model(system, folder, names);
    rename_staged(false);
    rename_staged(true);
  }
  formats::remove_tree(system, staging);
}

}  // namespace

SavedCheckpoint save_final_model(formats::FileSystem& system, const fs::path& folder,
                                 const ModelFiles& model) {
  HONE_ASSERT(!model.texts.empty() && is_marker(model.texts.back().name), model.texts.size());
  const fs::path staging = folder / kStaging;
  const std::vector<std::string> names = file_names(model);
  formats::remove_tree(system, staging);
  SavedCheckpoint saved{folder.string(), 0};
  try {
    system.create_folder(staging);
    write_model_files(system, staging, model);
    for (const std::string& name : names) saved.size_bytes += fs::file_size(staging / name);
    // All others are safe before the list is written.
    system.sync_folder(staging);
    write_text(system, staging / kList, list_text(names));
    system.sync_folder(staging);
    system.sync_folder(folder);
  } catch (const UserError&) {
    // Most likely a full disk: what was written only keeps others from their space.
    try {
      formats::remove_tree(system, staging);
    } catch (const UserError&) {
    }
    throw;
  }
  commit(system, folder, names);
  return saved;
}

bool finish_final_model(formats::FileSystem& system, const fs::path& folder) {
  const fs::path staging = folder / kStaging;
  if (!is_there(staging)) return false;
  const std::vector<std::string> names = read_list(staging);
  if (names.empty()) {
    formats::remove_tree(system, staging);
    return false;
  }
  commit(system, folder, names);
  return true;
}

}  // namespace hone::checkpoint
