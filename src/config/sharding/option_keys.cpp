#include "config/sharding/option_keys.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "formats/json.h"
#include "formats/json_writer.h"
#include "formats/text_encoding.h"

namespace hone::config {
namespace {

using formats::Value;

constexpr const char* kAuto = "auto";
constexpr std::size_t kLongestShown = 80;
// Longer words are not compared: no key is near them.
constexpr std::size_t kLongestKey = 80;

bool is_comment(const std::string& key) {
  return key == "comment" || key.rfind("_", 0) == 0 || key.rfind("//", 0) == 0;
}

bool is_whole(const Value& value) {
  if (value.kind() == Value::Kind::integer) return true;
  if (value.kind() != Value::Kind::number) return false;
  const double number = value.number();
  return std::trunc(number) == number && std::abs(number) < 9007199254740992.0;
}

bool has_type(const Value& value, KeyType type) {
  switch (type) {
    case KeyType::boolean:
      return value.kind() == Value::Kind::boolean;
    case KeyType::whole:
      return is_whole(value);
    case KeyType::number:
      return value.kind() == Value::Kind::integer || value.kind() == Value::Kind::number;
    case KeyType::text:
      return value.is_string();
    case KeyType::list:
      return value.is_array();
    case KeyType::object:
      return value.is_object();
    case KeyType::anything:
      return true;
  }
  return false;
}

const char* type_words(KeyType type) {
  switch (type) {
    case KeyType::boolean:
      return "true or false";
    case KeyType::whole:
      return "a whole number";
    case KeyType::number:
      return "a number";
    case KeyType::text:
      return "text in quotes";
    case KeyType::list:
      return "a list";
    case KeyType::object:
      return "an object, {...}";
    case KeyType::anything:
      return "any value";
  }
  return "";
}

bool asks_for_nothing(const OptionKey& key, const Value& value) {
  if (value.is_null()) return true;
  if (const formats::Object* object = value.get_object()) {
    const Value* enabled = value.find("enabled");
    return object->empty() || (enabled != nullptr && *enabled == Value(false));
  }
  const Value harmless = formats::parse_json(key.harmless, key.path);
  if (is_whole(harmless) && is_whole(value)) return harmless.number() == value.number();
  return harmless == value;
}

std::string shown(const Value& value) {
  if (value.is_object()) return "{...}";
  return formats::printable(formats::dump_python(value), kLongestShown);
}

std::string_view last_part(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

std::string_view prefix_of(std::string_view path) {
  return path.substr(0, path.size() - last_part(path).size());
}

}  // namespace

OptionFile::OptionFile(std::span<const OptionKey> keys, std::string name, bool allow_unknown)
    : keys_(keys), name_(std::move(name)), allow_unknown_(allow_unknown) {}

void OptionFile::read(const Value& root, FaultList& faults, std::vector<Notice>& notices) {
  faults_ = &faults;
  notices_ = &notices;
  if (!root.is_object()) {
    faults.add({name_, fmt::format("{} instead of options", formats::describe(root.kind())),
                "write one object, {\"key\": value, ...}"});
    return;
  }
  read_object(root, "");
  if (idle_.empty()) return;
  notices.push_back({Severity::info,
                     fmt::format("{}: these keys change nothing here, docs/deepspeed.md says why: "
                                 "{}",
                                 name_, fmt::join(idle_, ", "))});
}

void OptionFile::read_object(const Value& object, const std::string& prefix) {
  for (const formats::Member& member : object.object()) {
    if (is_comment(member.key)) continue;
    if (const OptionKey* key = find_key(prefix + member.key)) {
      take(*key, member.value);
      continue;
    }
    const std::string path = prefix + formats::printable(member.key, kLongestShown);
    const std::string known = meant(member.key, prefix, object);
    if (known.empty()) {
      report_unknown(path, prefix);
      continue;
    }
    notices_->push_back(
        {Severity::warning, fmt::format("{}: {} is read as {}, which is how it is spelt", name_,
                                        path, last_part(known))});
    take(*find_key(known), member.value);
  }
}

const OptionKey* OptionFile::find_key(const std::string& path) const {
  const auto found = std::find_if(keys_.begin(), keys_.end(),
                                  [&](const OptionKey& key) { return path == key.path; });
  return found == keys_.end() ? nullptr : &*found;
}

std::string OptionFile::meant(const std::string& key, const std::string& prefix,
                              const Value& object) const {
  if (key.size() > kLongestKey) return "";
  std::vector<std::string> beside;
  for (const OptionKey& known : keys_) {
    const std::string_view path = known.path;
    if (prefix_of(path) != prefix || object.find(last_part(path)) != nullptr) continue;
    beside.emplace_back(last_part(path));
  }
  const std::string nearest = nearest_name(key, beside);
  return nearest.empty() ? "" : prefix + nearest;
}

void OptionFile::report_unknown(const std::string& path, const std::string& prefix) {
  if (allow_unknown_) {
    notices_->push_back(
        {Severity::warning, fmt::format("{}: {} is not known; it is ignored, since extra settings "
                                        "are allowed",
                                        name_, path)});
    return;
  }
  faults_->add({fmt::format("{} ({})", path, name_),
                prefix.empty() ? "no option has this name"
                               : fmt::format("{} has no option of this name",
                                             prefix.substr(0, prefix.size() - 1)),
                "remove it; docs/deepspeed.md lists the keys that are known"});
}

void OptionFile::refuse(const OptionKey& key, const Value& value, std::string found,
                        std::string remedy) {
  faults_->add({fmt::format("{}: {} ({})", key.path, shown(value), name_), std::move(found),
                std::move(remedy)});
}

void OptionFile::take(const OptionKey& key, const Value& value) {
  if (value.is_null()) return;
  if (value == Value(kAuto) && key.type != KeyType::text && key.type != KeyType::anything) {
    if (key.use == KeyUse::idle) {
      idle_.emplace_back(key.path);
    } else if (key.takes_auto) {
      values_[key.path] = value;
    } else {
      refuse(key, value, "\"auto\" where no setting says what it is",
             fmt::format("write {}, or leave it out", type_words(key.type)));
    }
    return;
  }
  if (!has_type(value, key.type)) {
    return refuse(
        key, value, std::string(formats::describe(value.kind())),
        fmt::format("write {}{}", type_words(key.type), key.takes_auto ? ", or \"auto\"" : ""));
  }
  switch (key.use) {
    case KeyUse::obeyed:
    case KeyUse::compared:
      values_[key.path] = value;
      if (key.type == KeyType::object) read_object(value, std::string(key.path) + ".");
      break;
    case KeyUse::idle:
      idle_.emplace_back(key.path);
      break;
    case KeyUse::refused: {
      if (asks_for_nothing(key, value)) break;
      const std::string_view why = key.text;
      const std::size_t cut = why.find("; ");
      HONE_ASSERT(cut != std::string_view::npos, key.path);
      refuse(key, value, std::string(why.substr(0, cut)), std::string(why.substr(cut + 2)));
      break;
    }
  }
}

const Value* OptionFile::value_of(const std::string& path) const {
  HONE_ASSERT(find_key(path) != nullptr, path);
  const auto found = values_.find(path);
  return found == values_.end() ? nullptr : &found->second;
}

bool OptionFile::has(const std::string& path) const {
  return value_of(path) != nullptr;
}

bool OptionFile::is_auto(const std::string& path) const {
  const Value* value = value_of(path);
  return value != nullptr && *value == Value(kAuto);
}

std::optional<bool> OptionFile::boolean(const std::string& path) const {
  const Value* value = value_of(path);
  if (value == nullptr || value->kind() != Value::Kind::boolean) return std::nullopt;
  return value->boolean();
}

std::optional<std::int64_t> OptionFile::whole(const std::string& path) const {
  const Value* value = value_of(path);
  if (value == nullptr || !is_whole(*value)) return std::nullopt;
  return static_cast<std::int64_t>(value->number());
}

std::optional<double> OptionFile::number(const std::string& path) const {
  const Value* value = value_of(path);
  if (value == nullptr || !has_type(*value, KeyType::number)) return std::nullopt;
  return value->number();
}

std::optional<std::string> OptionFile::text(const std::string& path) const {
  const Value* value = value_of(path);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return value->string();
}

std::vector<double> OptionFile::numbers(const std::string& path) const {
  std::vector<double> numbers;
  const Value* value = value_of(path);
  if (value == nullptr || !value->is_array()) return numbers;
  for (const Value& item : value->array()) {
    if (has_type(item, KeyType::number)) numbers.push_back(item.number());
  }
  return numbers;
}

std::string OptionFile::describe(const std::string& path) const {
  const Value* value = value_of(path);
  return fmt::format("{}: {} ({})", path, value == nullptr ? "not given" : shown(*value), name_);
}

std::string keys_page(std::span<const OptionKey> keys) {
  struct Part {
    KeyUse use;
    const char* head;
  };
  std::string page;
  for (const Part& part : {Part{KeyUse::obeyed, "Obeyed:\n\n| key | meaning |\n"},
                           Part{KeyUse::compared,
                                "Compared with the setting that says the same; "
                                "`auto` takes the setting's value:\n\n"
                                "| key | setting |\n"},
                           Part{KeyUse::idle, "Accepted, and change nothing:\n\n| key | why |\n"},
                           Part{KeyUse::refused,
                                "Refused, unless the value asks for nothing:\n\n"
                                "| key | why, and what to use |\n"}}) {
    std::string rows;
    for (const OptionKey& key : keys) {
      if (key.use == part.use) rows += fmt::format("| `{}` | {} |\n", key.path, key.text);
    }
    if (!rows.empty())
      page += fmt::format("{}{}|---|---|\n{}", page.empty() ? "" : "\n", part.head, rows);
  }
  return page;
}

}  // namespace hone::config
