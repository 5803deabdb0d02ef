// The metadata getters of GgufFile.
#include <fmt/format.h>

#include <limits>

#include "base/error.h"
#include "formats/gguf.h"
#include "formats/text_encoding.h"

namespace hone::formats {

const GgufValue* GgufFile::find(std::string_view key) const {
  const auto found = metadata_.find(key);
  return found == metadata_.end() ? nullptr : &found->second;
}

const GgufValue& GgufFile::required(std::string_view key, std::string_view wanted) const {
  const GgufValue* value = find(key);
  if (value != nullptr) return *value;
  throw UserError({fmt::format("metadata '{}' of {}", printable(key), shown_name_), "no such key",
                   fmt::format("use a GGUF file that has it ({})", wanted)});
}

void GgufFile::refuse_kind(std::string_view key, std::string_view wanted) const {
  const GgufValue& value = *find(key);
  std::string found(describe(value.kind));
  if (value.kind == GgufKind::array) {
    found += fmt::format(" of {}", describe(std::get<GgufArray>(value.data).kind));
  }
  throw UserError({fmt::format("metadata '{}' of {}", printable(key), shown_name_), found,
                   fmt::format("use a GGUF file where it is {}", wanted)});
}

std::int64_t GgufFile::to_integer(std::string_view key, const GgufValue& value) const {
  if (const auto* number = std::get_if<std::int64_t>(&value.data)) return *number;
  const auto* number = std::get_if<std::uint64_t>(&value.data);
  const bool fits = number != nullptr &&
                    *number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!fits) refuse_kind(key, "a whole number of 63 bits");
  return static_cast<std::int64_t>(*number);
}

double GgufFile::to_number(std::string_view key, const GgufValue& value) const {
  if (const auto* number = std::get_if<double>(&value.data)) return *number;
  if (const auto* number = std::get_if<std::int64_t>(&value.data)) {
    return static_cast<double>(*number);
  }
  const auto* number = std::get_if<std::uint64_t>(&value.data);
  if (number == nullptr) refuse_kind(key, "a number");
  return static_cast<double>(*number);
}

std::int64_t GgufFile::integer(std::string_view key) const {
  return to_integer(key, required(key, "a whole number"));
}

double GgufFile::number(std::string_view key) const {
  return to_number(key, required(key, "a number"));
}

bool GgufFile::boolean(std::string_view key) const {
  const auto* value = std::get_if<bool>(&required(key, "a boolean").data);
  if (value == nullptr) refuse_kind(key, "a boolean");
  return *value;
}

std::string_view GgufFile::string(std::string_view key) const {
  const auto* value = std::get_if<std::string_view>(&required(key, "a string").data);
  if (value == nullptr) refuse_kind(key, "a string");
  return *value;
}

const GgufArray& GgufFile::required_array(std::string_view key, std::string_view wanted) const {
  const auto* array = std::get_if<GgufArray>(&required(key, wanted).data);
  if (array == nullptr) refuse_kind(key, wanted);
  return *array;
}

const std::vector<std::string_view>& GgufFile::strings(std::string_view key) const {
  const GgufArray& array = required_array(key, "a list of strings");
  // An empty list may have been written with any kind.
  if (array.kind != GgufKind::string && array.count > 0) refuse_kind(key, "a list of strings");
  return array.strings;
}

std::vector<std::int64_t> GgufFile::integers(std::string_view key) const {
  const GgufArray& array = required_array(key, "a list of whole numbers");
  if (array.count > 0 && size_bytes(array.kind) == 0) refuse_kind(key, "a list of whole numbers");
  std::vector<std::int64_t> items;
  items.reserve(static_cast<std::size_t>(array.count));
  for (std::uint64_t index = 0; index < array.count; ++index) {
    items.push_back(to_integer(key, item_of(array, index)));
  }
  return items;
}

std::vector<double> GgufFile::numbers(std::string_view key) const {
  const GgufArray& array = required_array(key, "a list of numbers");
  if (array.count > 0 && size_bytes(array.kind) == 0) refuse_kind(key, "a list of numbers");
  std::vector<double> items;
  items.reserve(static_cast<std::size_t>(array.count));
  for (std::uint64_t index = 0; index < array.count; ++index) {
    items.push_back(to_number(key, item_of(array, index)));
  }
  return items;
}

std::optional<std::int64_t> GgufFile::optional_integer(std::string_view key) const {
  return find(key) ? std::optional(integer(key)) : std::nullopt;
}

std::optional<double> GgufFile::optional_number(std::string_view key) const {
  return find(key) ? std::optional(number(key)) : std::nullopt;
}

std::optional<bool> GgufFile::optional_boolean(std::string_view key) const {
  return find(key) ? std::optional(boolean(key)) : std::nullopt;
}

std::optional<std::string_view> GgufFile::optional_string(std::string_view key) const {
  return find(key) ? std::optional(string(key)) : std::nullopt;
}

}  // namespace hone::formats
