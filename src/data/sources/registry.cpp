#include "data/sources/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/nearest_name.h"
#include "formats/json.h"
#include "formats/regular_file.h"
#include "formats/text_encoding.h"

namespace hone::data {
namespace {

constexpr std::size_t kNamesShown = 30;

std::string shown_names(const std::vector<std::string>& names) {
  if (names.empty()) return "none";
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    if (shown.size() == kNamesShown) break;
    shown.push_back(formats::printable(name));
  }
  const std::string more =
      names.size() > kNamesShown ? fmt::format(" and {} more", names.size() - kNamesShown) : "";
  return fmt::format("{}{}", fmt::join(shown, ", "), more);
}

}  // namespace

DatasetRegistry DatasetRegistry::open(const std::filesystem::path& dataset_dir,
                                      FetchedFiles fetched) {
  const std::string dir = dataset_dir.string();
  DatasetRegistry registry;
  registry.fetched_ = std::move(fetched);
  if (dir == "ONLINE") {
    registry.online_ = true;
    registry.file_ = "dataset_dir: ONLINE";
    registry.entries_ = formats::Object();
    return registry;
  }
  if (dir.rfind("REMOTE:", 0) == 0) {
    throw UserError({fmt::format("dataset_dir: {}", formats::printable(dir)),
                     "a registry on a hub, which was not fetched",
                     "give the folder that holds dataset_info.json and the data files"});
  }
  registry.folder_ = dataset_dir;
  const std::filesystem::path file = dataset_dir / "dataset_info.json";
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    throw UserError({fmt::format("dataset_dir: {}", formats::printable(dir)),
                     fmt::format("no file {}", formats::shown_path(file)),
                     "give the folder that holds dataset_info.json, or create that file: "
                     "{\"my_data\": {\"file_name\": \"my_data.json\"}}"});
  }
  registry.file_ = formats::shown_path(file);
  registry.entries_ = formats::read_json(file);
  if (!registry.entries_.is_object()) {
    throw UserError({fmt::format("read data sets: {}", registry.file_),
                     std::string(describe(registry.entries_.kind())),
                     "write an object of data sets: {\"my_data\": {\"file_name\": "
                     "\"my_data.json\"}}"});
  }
  return registry;
}

std::vector<std::string> DatasetRegistry::names() const {
  std::vector<std::string> names;
  for (const formats::Member& member : entries_.object()) names.push_back(member.key);
  return names;
}

DatasetEntry DatasetRegistry::find(const std::string& name, Purpose purpose,
                                   const std::string& setting) const {
  formats::Value whole;
  const formats::Value* entry = entries_.find(name);
  if (online_) {
    whole.set("hf_hub_url", name);
    whole.set("ms_hub_url", name);
    entry = &whole;
  }
  if (entry != nullptr) {
    DatasetEntry found = read_dataset_entry(name, *entry, file_, purpose);
    const auto files = fetched_.find(name);
    if (found.hub && files != fetched_.end()) found.fetched = files->second;
    return found;
  }
  const std::vector<std::string> known = names();
  throw UserError(
      {fmt::format("{}: {}", setting, formats::printable(name)),
       fmt::format("not defined in {}{}", file_, did_you_mean(name, known)),
       fmt::format("choose one that is defined ({}), or add it there", shown_names(known))});
}

}  // namespace hone::data
