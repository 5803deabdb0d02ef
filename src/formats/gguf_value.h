// Metadata of a GGUF file. Strings are views into the mapped file.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "formats/gguf_cursor.h"
#include "formats/gguf_types.h"

namespace hone::formats {

// A list; all items are of one kind.
struct GgufArray {
  GgufKind kind = GgufKind::u8;
  std::uint64_t count = 0;
  std::span<const std::byte> raw;         // items of fixed size, unaligned
  std::vector<std::string_view> strings;  // kind string
  std::vector<GgufArray> arrays;          // kind array
};

// One value, its number widened: unsigned kinds to u64, signed ones to i64, floating ones to f64.
struct GgufValue {
  GgufKind kind = GgufKind::u8;
  std::variant<std::uint64_t, std::int64_t, double, bool, std::string_view, GgufArray> data;
};

// Reads the value that follows in the file: its kind, then itself. Errors: see GgufCursor.
GgufValue read_gguf_value(GgufCursor& cursor);

// Item `index` of a list of numbers or booleans, widened as above.
GgufValue item_of(const GgufArray& array, std::uint64_t index);

}  // namespace hone::formats
