// Small JSON files (config.json, an index, tokenizer.json) and asking them for what must be there.
//
// Strict JSON in UTF-8; a byte-order mark is skipped; UTF-16 and UTF-32 are named and refused. One
// key twice in an object is an error that names both lines. Errors (UserError) name file, line and
// column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "formats/value.h"

namespace hone::formats {

// Large enough for every tokenizer.json, small enough to refuse a weights file at once.
inline constexpr std::size_t kMaxJsonFileBytes = std::size_t{256} << 20;

Value read_json(const std::filesystem::path& file, std::size_t limit_bytes = kMaxJsonFileBytes);

// The same from text; `name` stands for the file in errors.
Value parse_json(std::string_view text, const std::string& name);

// An object and how errors name it. It refers to the value, which must outlive it.
//
// The plain getters need the member: its absence, null, or another kind is a UserError
// ("hidden_size in /m/config.json"). The optional_ ones give nothing when it is absent or null, and
// refuse another kind. A whole number is a number; no other kind stands for another.
class JsonObject {
 public:
  // Errors (UserError): `value` is not an object. `inside` is the dotted name of the object within
  // its file, empty for the whole: "rope_scaling".
  JsonObject(const Value& value, std::string file_name, std::string inside = "");

  bool has(std::string_view key) const;  // there, and not null
  const Value* find(std::string_view key) const { return value_->find(key); }
  const Value& value() const { return *value_; }

  std::int64_t integer(std::string_view key) const;
  double number(std::string_view key) const;
  bool boolean(std::string_view key) const;
  const std::string& string(std::string_view key) const;
  const Array& array(std::string_view key) const;
  JsonObject object(std::string_view key) const;

  std::optional<std::int64_t> optional_integer(std::string_view key) const;
  std::optional<double> optional_number(std::string_view key) const;
  std::optional<bool> optional_boolean(std::string_view key) const;
  std::optional<std::string> optional_string(std::string_view key) const;
  const Array* optional_array(std::string_view key) const;  // nullptr for nothing
  std::optional<JsonObject> optional_object(std::string_view key) const;

  // "rope_scaling.factor in /m/config.json": for the errors of those who look further.
  std::string where(std::string_view key) const;
  const std::string& file_name() const { return file_name_; }

 private:
  const Value* member(std::string_view key, Value::Kind kind, bool required) const;

  const Value* value_;
  std::string file_name_;
  std::string inside_;
};

}  // namespace hone::formats
