#include "formats/json.h"

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "formats/json_decoder.h"
#include "formats/regular_file.h"
#include "formats/text_encoding.h"
#include "formats/whole_file.h"

namespace hone::formats {
namespace {

std::string describe_found(const Value& value) {
  if (const std::string* text = value.get_string()) {
    return fmt::format("a string, \"{}\"", printable(*text, 60));
  }
  if (value.kind() == Value::Kind::number) return fmt::format("the number {}", value.number());
  if (value.kind() == Value::Kind::integer) return fmt::format("the number {}", value.integer());
  return std::string(describe(value.kind()));
}

}  // namespace

Value read_json(const std::filesystem::path& file, std::size_t limit_bytes) {
  return parse_json(read_whole_file(file, limit_bytes), shown_path(file));
}

Value parse_json(std::string_view text, const std::string& name) {
  refuse_foreign_encoding(text.substr(0, 4), name);
  JsonSource source;
  source.file_name = name;
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    source.offset_bytes = kByteOrderMark.size();
    text.remove_prefix(kByteOrderMark.size());
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw UserError({"JSON: " + name, "an empty file", "check that the file was copied whole"});
  }
  return JsonDecoder().decode(text, source);
}

JsonObject::JsonObject(const Value& value, std::string file_name, std::string inside)
    : value_(&value), file_name_(std::move(file_name)), inside_(std::move(inside)) {
  if (value.is_object()) return;
  const std::string what = inside_.empty() ? file_name_ : inside_ + " in " + file_name_;
  throw UserError({what, fmt::format("{}, not an object", describe_found(value)),
                   "write an object: {\"key\": value, ...}"});
}

bool JsonObject::has(std::string_view key) const {
  const Value* found = find(key);
  return found != nullptr && !found->is_null();
}

std::string JsonObject::where(std::string_view key) const {
  return fmt::format("{}{}{} in {}", inside_, inside_.empty() ? "" : ".", printable(key),
                     file_name_);
}

const Value* JsonObject::member(std::string_view key, Value::Kind kind, bool required) const {
  const Value* found = find(key);
  if (found == nullptr || found->is_null()) {
    if (!required) return nullptr;
    std::vector<std::string> keys;
    for (const Member& each : value_->object()) keys.push_back(each.key);
    throw UserError({where(key),
                     found == nullptr ? "no such key" + did_you_mean(key, keys) : "null",
                     fmt::format("give it as {}", describe(kind))});
  }
  const bool fits = found->kind() == kind ||
                    (kind == Value::Kind::number && found->kind() == Value::Kind::integer);
  if (!fits) {
    throw UserError(
        {where(key), describe_found(*found), fmt::format("give it as {}", describe(kind))});
  }
  return found;
}

std::int64_t JsonObject::integer(std::string_view key) const {
  return member(key, Value::Kind::integer, true)->integer();
}

double JsonObject::number(std::string_view key) const {
  return member(key, Value::Kind::number, true)->number();
}

bool JsonObject::boolean(std::string_view key) const {
  return member(key, Value::Kind::boolean, true)->boolean();
}

const std::string& JsonObject::string(std::string_view key) const {
  return member(key, Value::Kind::string, true)->string();
}

const Array& JsonObject::array(std::string_view key) const {
  return member(key, Value::Kind::array, true)->array();
}

JsonObject JsonObject::object(std::string_view key) const {
  const Value* found = member(key, Value::Kind::object, true);
  return JsonObject(*found, file_name_,
                    inside_.empty() ? std::string(key) : fmt::format("{}.{}", inside_, key));
}

std::optional<std::int64_t> JsonObject::optional_integer(std::string_view key) const {
  const Value* found = member(key, Value::Kind::integer, false);
  return found ? std::optional(found->integer()) : std::nullopt;
}

std::optional<double> JsonObject::optional_number(std::string_view key) const {
  const Value* found = member(key, Value::Kind::number, false);
  return found ? std::optional(found->number()) : std::nullopt;
}

std::optional<bool> JsonObject::optional_boolean(std::string_view key) const {
  const Value* found = member(key, Value::Kind::boolean, false);
  return found ? std::optional(found->boolean()) : std::nullopt;
}

std::optional<std::string> JsonObject::optional_string(std::string_view key) const {
  const Value* found = member(key, Value::Kind::string, false);
  return found ? std::optional(found->string()) : std::nullopt;
}

const Array* JsonObject::optional_array(std::string_view key) const {
  const Value* found = member(key, Value::Kind::array, false);
  return found ? &found->array() : nullptr;
}

std::optional<JsonObject> JsonObject::optional_object(std::string_view key) const {
  if (member(key, Value::Kind::object, false) == nullptr) return std::nullopt;
  return object(key);
}

}  // namespace hone::formats
