#include "formats/safetensors_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "base/nearest_name.h"
#include "formats/json.h"
#include "formats/model_folder.h"
#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

namespace fs = std::filesystem;

// More faults than these say nothing new.
constexpr std::size_t kMaxFaults = 10;

std::string single_name(const std::string& stem) {
  return stem + ".safetensors";
}
std::string index_name(const std::string& stem) {
  return stem + ".safetensors.index.json";
}

// A dangling link counts as there: opening it then says what is wrong.
bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(fs::symlink_status(file, error));
}

[[noreturn]] void refuse_missing(const fs::path& folder, const std::string& stem) {
  std::string found = fmt::format("neither {} nor {}", single_name(stem), index_name(stem));
  std::string remedy = "check the path, or download the model's weights";
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    found = is_there(folder) ? "not a folder" : "no such folder";
    remedy = "check the spelling of the path";
  } else if (is_there(folder / "pytorch_model.bin") ||
             is_there(folder / "pytorch_model.bin.index.json")) {
    found += ", only pytorch_model.bin";
    remedy = "convert the model to safetensors";
  }
  throw UserError({"weights in " + shown_path(folder), found, remedy});
}

// File name to the names of the tensors that the index puts there.
using Shards = std::map<std::string, std::vector<std::string>>;

Shards read_index(const fs::path& file) {
  const Value index = read_json(file);
  const JsonObject root(index, shown_path(file));
  const JsonObject weight_map = root.object("weight_map");
  Shards shards;
  for (const Member& member : weight_map.value().object()) {
    const std::string* shard = member.value.get_string();
    shards[shard != nullptr ? *shard : weight_map.string(member.key)].push_back(member.key);
  }
  return shards;
}

}  // namespace

SafetensorsModel::SafetensorsModel(const fs::path& folder, const std::string& stem)
    : folder_(folder) {
  if (is_there(folder / single_name(stem))) {
    files_.emplace_back(
        resolve_in_folder(folder, single_name(stem), "weights in " + shown_path(folder)));
  } else if (is_there(folder / index_name(stem))) {
    open_index(folder, index_name(stem));
  } else {
    refuse_missing(folder, stem);
  }
  add_tensors();
}

bool SafetensorsModel::is_in(const fs::path& folder, const std::string& stem) {
  return is_there(folder / single_name(stem)) || is_there(folder / index_name(stem));
}

void SafetensorsModel::open_index(const fs::path& folder, const std::string& name) {
  const fs::path index = resolve_in_folder(folder, name, "weights in " + shown_path(folder));
  const Shards shards = read_index(index);
  FaultList faults;
  for (const auto& [file, tensors] : shards) {
    if (faults.faults().size() >= kMaxFaults) break;
    try {
      const std::string asked =
          fmt::format("tensor '{}' in {}", printable(tensors.front()), shown_path(folder / name));
      files_.emplace_back(resolve_in_folder(folder, file, asked));
    } catch (const UserError& error) {
      faults.add(error);
      continue;
    }
    const auto missing = std::find_if(
        tensors.begin(), tensors.end(),
        [&](const std::string& tensor) { return files_.back().find(tensor) == nullptr; });
    if (missing == tensors.end()) continue;
    faults.add({fmt::format("tensor '{}' in {}", printable(*missing), shown_path(folder / name)),
                fmt::format("no such tensor in {}, where the index puts it", printable(file)),
                "download the model again: its files do not belong together"});
  }
  faults.throw_if_any();
}

void SafetensorsModel::add_tensors() {
  FaultList faults;
  for (std::size_t at = 0; at < files_.size(); ++at) {
    for (const SafetensorsEntry& tensor : files_[at].tensors()) {
      const auto [place, is_new] = file_of_.emplace(tensor.name, at);
      if (is_new || faults.faults().size() >= kMaxFaults) continue;
      faults.add({fmt::format("tensor '{}' of {}", printable(tensor.name), shown_path(folder_)),
                  fmt::format("it is in two files, {} and {}",
                              shown_path(files_[place->second].file().path()),
                              shown_path(files_[at].file().path())),
                  "download the model again: its files do not belong together"});
    }
  }
  faults.throw_if_any();
}

const SafetensorsEntry* SafetensorsModel::find(std::string_view name) const {
  const auto found = file_of_.find(name);
  return found == file_of_.end() ? nullptr : files_[found->second].find(name);
}

ConstTensorView SafetensorsModel::view(std::string_view name) const {
  const auto found = file_of_.find(name);
  if (found != file_of_.end()) return files_[found->second].view(name);
  std::vector<std::string> names;
  for (const auto& [known, file] : file_of_) names.emplace_back(known);
  std::sort(names.begin(), names.end());
  throw UserError({fmt::format("tensor '{}' of {}", printable(name), shown_path(folder_)),
                   "no such tensor" + did_you_mean(name, names),
                   "check that config.json and the weights belong together"});
}

void SafetensorsModel::read_in_pieces(std::string_view name, const VisitPiece& visit) const {
  constexpr std::int64_t kPieceBytes = std::int64_t{8} << 20;
  const ConstTensorView whole = view(name);
  const ConstTensorView elements = whole.reshape({whole.elements()});
  const MappedFile& file = files_[file_of_.at(name)].file();
  const std::int64_t at_once =
      kPieceBytes / static_cast<std::int64_t>(hone::size_bytes(whole.dtype()));
  for (std::int64_t first = 0; first < elements.elements(); first += at_once) {
    const ConstTensorView piece =
        elements.slice(first, std::min(at_once, elements.elements() - first));
    visit(first, piece);
    file.let_go({static_cast<const std::byte*>(piece.raw()), piece.bytes()});
  }
}

std::uint64_t SafetensorsModel::size_bytes() const {
  std::uint64_t sum = 0;
  for (const SafetensorsFile& file : files_) {
    for (const SafetensorsEntry& tensor : file.tensors()) sum += tensor.size_bytes();
  }
  return sum;
}

}  // namespace hone::formats
