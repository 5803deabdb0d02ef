#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/error.h"
#include "base/nearest_name.h"
#include "formats/text_encoding.h"
#include "formats/value.h"
#include "formats/whole_file.h"
#include "formats/yaml.h"
#include "hub/name_pattern.h"
#include "hub/wanted_files.h"

namespace hone::hub {
namespace {

using formats::Value;
using Names = std::vector<std::string>;

constexpr const char* kCard = "README.md";
constexpr std::size_t kLargestCard = std::size_t{16} << 20;
constexpr std::size_t kNamesShown = 30;

struct SplitWords {
  const char* split;
  std::vector<std::string> words;
};

// datasets/data_files.py: SPLIT_KEYWORDS, and the characters that separate a word.
const std::vector<SplitWords>& split_words() {
  static const std::vector<SplitWords> kWords = {
      {"train", {"train", "training"}},
      {"validation", {"validation", "valid", "dev", "val"}},
      {"test", {"test", "testing", "eval", "evaluation"}}};
  return kWords;
}

bool is_separator(char c) {
  return std::string_view("-._ 0123456789").find(c) != std::string_view::npos;
}

// Whether a word stands in a name, with a separator or an end on both sides.
bool has_word(std::string_view name, std::string_view word) {
  for (std::size_t at = name.find(word); at != std::string_view::npos;
       at = name.find(word, at + 1)) {
    const bool before = at == 0 || is_separator(name[at - 1]);
    const std::size_t end = at + word.size();
    if (before && (end == name.size() || is_separator(name[end]))) return true;
  }
  return false;
}

Names parts_of(const std::string& name) {
  Names parts = {""};
  for (const char c : name) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string type_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return "";
  const std::string end = name.substr(dot + 1);
  if (end == "json" || end == "jsonl" || end == "ndjson") return "json";
  for (const char* type : {"csv", "txt", "parquet", "arrow"}) {
    if (end == type) return type;
  }
  return "";
}

bool is_data(const std::string& name) {
  for (const std::string& part : parts_of(name)) {
    if (part.front() == '.' || part.rfind("__", 0) == 0) return false;
  }
  const std::string last = parts_of(name).back();
  for (const char* other : {"config.json", "dataset_info.json", "dataset_infos.json",
                            "dataset_dict.json", "state.json"}) {
    if (last == other) return false;
  }
  return !type_of(name).empty();
}

// By split, what the names of files and folders say; everything is train where they say nothing.
std::map<std::string, Names> splits_by_names(const Names& files) {
  using Rule = bool (*)(const std::string& name, const std::string& word);
  const Rule sharded = [](const std::string& name, const std::string& word) {
    return matches("data/" + word + "-[0-9][0-9][0-9][0-9][0-9]-of-[0-9][0-9][0-9][0-9][0-9]*.*",
                   name);
  };
  const Rule in_folder = [](const std::string& name, const std::string& word) {
    Names parts = parts_of(name);
    parts.pop_back();
    return std::any_of(parts.begin(), parts.end(),
                       [&](const std::string& part) { return has_word(part, word); });
  };
  const Rule in_name = [](const std::string& name, const std::string& word) {
    return has_word(parts_of(name).back(), word);
  };
  for (const Rule& rule : {sharded, in_folder, in_name}) {
    std::map<std::string, Names> splits;
    for (const SplitWords& split : split_words()) {
      for (const std::string& name : files) {
        const bool fits = std::any_of(split.words.begin(), split.words.end(),
                                      [&](const std::string& word) { return rule(name, word); });
        if (fits) splits[split.split].push_back(name);
      }
    }
    if (!splits.empty()) return splits;
  }
  return {{"train", files}};
}

Value value_of(const formats::YamlNode& node) {
  using Kind = formats::YamlNode::Kind;
  if (node.kind == Kind::scalar) return node.text;
  if (node.kind == Kind::null) return {};
  if (node.kind == Kind::list) {
    formats::Array items;
    for (const formats::YamlNode& item : node.items) items.push_back(value_of(item));
    return items;
  }
  Value map = formats::Object();
  for (const formats::YamlEntry& entry : node.entries) map.set(entry.key, value_of(entry.value));
  return map;
}

// The header of a card: YAML between two lines of three hyphens.
Value card_header(const std::filesystem::path& card) {
  const std::string text = formats::read_whole_file(card, kLargestCard);
  if (text.rfind("---", 0) != 0) return {};
  const std::size_t begin = text.find('\n');
  const std::size_t end = text.find("\n---", 3);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  return value_of(formats::parse_yaml(text.substr(begin + 1, end - begin), card.string()));
}

std::string text_in(const Value& object, const char* key) {
  const Value* value = object.find(key);
  return value != nullptr && value->get_string() != nullptr ? *value->get_string() : std::string();
}

Names patterns_in(const Value& value) {
  if (value.get_string() != nullptr) return {*value.get_string()};
  Names patterns;
  if (value.get_array() == nullptr) return patterns;
  for (const Value& each : value.array()) {
    if (each.get_string() != nullptr) patterns.push_back(*each.get_string());
  }
  return patterns;
}

// data_files of a configuration: a pattern or several for train; {split, path} pairs; or by split.
std::map<std::string, Names> split_patterns(const Value& data_files) {
  std::map<std::string, Names> splits;
  if (const formats::Object* object = data_files.get_object()) {
    for (const formats::Member& member : *object) splits[member.key] = patterns_in(member.value);
    return splits;
  }
  if (const formats::Array* list = data_files.get_array()) {
    for (const Value& each : *list) {
      const Value* path = each.find("path");
      if (path == nullptr) continue;
      for (const std::string& pattern : patterns_in(*path)) {
        splits[text_in(each, "split")].push_back(pattern);
      }
    }
  }
  if (splits.empty()) splits["train"] = patterns_in(data_files);
  return splits;
}

class DatasetFiles {
 public:
  DatasetFiles(Snapshot& snapshot, const DatasetPlace& place) : snapshot_(snapshot), place_(place) {
    for (const RepositoryFile& file : snapshot.files()) {
      if (is_data(file.name)) all_.push_back(file.name);
    }
    std::sort(all_.begin(), all_.end());
  }

  Names wanted() {
    const Value configuration = this->configuration();
    std::map<std::string, Names> splits;
    const Value* data_files = configuration.find("data_files");
    const std::string folder = place_.folder.value_or(text_in(configuration, "data_dir"));
    if (data_files != nullptr && !place_.folder) {
      for (const auto& [split, patterns] : split_patterns(*data_files)) {
        splits[split] = matching(patterns, text_in(configuration, "data_dir"));
      }
    } else {
      splits = splits_by_names(inside(folder));
    }
    const auto found = splits.find(place_.split);
    if (found == splits.end() || found->second.empty()) refuse_split(splits, folder);
    return of_one_type(found->second);
  }

 private:
  // The entry of `configs` that is meant; null where the card has none.
  Value configuration() {
    Value configs;
    if (snapshot_.lists(kCard)) {
      snapshot_.fetch({kCard});
      const Value header = card_header(snapshot_.folder() / kCard);
      if (const Value* found = header.find("configs")) configs = *found;
    }
    if (configs.get_array() == nullptr || configs.array().empty()) {
      if (place_.subset) refuse_subset({});
      return {};
    }
    Names names;
    for (const Value& each : configs.array()) names.push_back(text_in(each, "config_name"));
    const std::string wanted = place_.subset.value_or("default");
    for (const Value& each : configs.array()) {
      const bool is_default = text_in(each, "default") == "true";
      if (text_in(each, "config_name") == wanted || (!place_.subset && is_default)) return each;
    }
    if (!place_.subset && configs.array().size() == 1) return configs.array().front();
    refuse_subset(names);
  }

  Names inside(const std::string& folder) const {
    Names names;
    const std::string begin = folder.empty() || folder == "." ? "" : folder + "/";
    for (const std::string& name : all_) {
      if (name.rfind(begin, 0) == 0) names.push_back(name.substr(begin.size()));
    }
    if (!begin.empty()) folder_ = begin;
    return names;
  }

  Names matching(const Names& patterns, const std::string& folder) const {
    Names names;
    for (std::string pattern : patterns) {
      if (pattern.rfind("./", 0) == 0) pattern.erase(0, 2);
      if (!folder.empty()) pattern = folder + "/" + pattern;
      for (const std::string& name : all_) {
        const bool fits = matches(pattern, name) || name.rfind(pattern + "/", 0) == 0;
        if (fits && std::find(names.begin(), names.end(), name) == names.end()) {
          names.push_back(name);
        }
      }
    }
    return names;
  }

  // Of several types the most frequent, as `datasets` chooses.
  Names of_one_type(const Names& names) const {
    std::map<std::string, std::size_t> counts;
    for (const std::string& name : names) ++counts[type_of(name)];
    const auto most =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    Names kept;
    for (const std::string& name : names) {
      if (type_of(name) == most->first) kept.push_back(folder_ + name);
    }
    return kept;
  }

  std::string shown(Names names) const {
    for (std::string& name : names) name = formats::printable(name);
    const std::size_t more = names.size() > kNamesShown ? names.size() - kNamesShown : 0;
    names.resize(names.size() - more);
    return fmt::format("{}{}", fmt::join(names, ", "),
                       more > 0 ? fmt::format(" and {} more", more) : "");
  }

  [[noreturn]] void refuse_subset(const Names& names) const {
    const std::string asked = place_.repository.text();
    if (names.empty()) {
      throw UserError({fmt::format("subset '{}' of {}", *place_.subset, asked),
                       "its card names no subsets", "remove 'subset' from dataset_info.json"});
    }
    if (!place_.subset) {
      throw UserError({asked,
                       fmt::format("several subsets, and none is the default: {}", shown(names)),
                       "write one of them as 'subset' in dataset_info.json"});
    }
    throw UserError({fmt::format("subset '{}' of {}", formats::printable(*place_.subset), asked),
                     fmt::format("not among its subsets{}", did_you_mean(*place_.subset, names)),
                     fmt::format("write one of: {}", shown(names))});
  }

  [[noreturn]] void refuse_split(const std::map<std::string, Names>& splits,
                                 const std::string& folder) const {
    const std::string asked = fmt::format(
        "split '{}' of {}{}", formats::printable(place_.split), place_.repository.text(),
        folder.empty() ? "" : fmt::format(", folder {}", formats::printable(folder)));
    Names names;
    for (const auto& [name, files] : splits) {
      if (!files.empty()) names.push_back(name);
    }
    if (!names.empty()) {
      throw UserError({asked, fmt::format("it has: {}", shown(names)),
                       "write one of them as 'split' in dataset_info.json"});
    }
    const bool script = std::any_of(
        snapshot_.files().begin(), snapshot_.files().end(), [](const RepositoryFile& file) {
          return file.name.size() > 3 && file.name.compare(file.name.size() - 3, 3, ".py") == 0;
        });
    throw UserError(
        {asked,
         script ? "a Python program that makes the records, which hone does not run"
                : "no files of JSON, JSONL, CSV, TXT, parquet or arrow",
         script
             ? "write its records to a JSONL file (with the package `datasets`: to_json) and name "
               "that under 'file_name'"
             : "name a data set that has such files, or convert it"});
  }

  Snapshot& snapshot_;
  const DatasetPlace& place_;
  Names all_;
  mutable std::string folder_;  // that names were cut off from, with a slash
};

}  // namespace

std::vector<std::filesystem::path> fetch_dataset(Hub& hub, const DatasetPlace& place) {
  Snapshot snapshot = hub.open(place.repository);
  const Names wanted = DatasetFiles(snapshot, place).wanted();
  snapshot.fetch(wanted);
  std::vector<std::filesystem::path> files;
  for (const std::string& name : wanted) files.push_back(snapshot.folder() / name);
  return files;
}

}  // namespace hone::hub
