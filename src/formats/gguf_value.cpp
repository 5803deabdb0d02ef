#include "formats/gguf_value.h"

#include <fmt/format.h>

#include "base/error.h"

namespace hone::formats {
namespace {

constexpr int kMaxNesting = 4;

template <class T>
T load(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <class T>
std::uint64_t load_unsigned(const std::byte* bytes) {
  return load<T>(bytes);
}

template <class T>
std::int64_t load_signed(const std::byte* bytes) {
  return load<T>(bytes);
}

// A value of fixed size.
GgufValue load_number(GgufKind kind, const std::byte* bytes) {
  switch (kind) {
    case GgufKind::u8:
      return {kind, load_unsigned<std::uint8_t>(bytes)};
    case GgufKind::u16:
      return {kind, load_unsigned<std::uint16_t>(bytes)};
    case GgufKind::u32:
      return {kind, load_unsigned<std::uint32_t>(bytes)};
    case GgufKind::u64:
      return {kind, load_unsigned<std::uint64_t>(bytes)};
    case GgufKind::i8:
      return {kind, load_signed<std::int8_t>(bytes)};
    case GgufKind::i16:
      return {kind, load_signed<std::int16_t>(bytes)};
    case GgufKind::i32:
      return {kind, load_signed<std::int32_t>(bytes)};
    case GgufKind::i64:
      return {kind, load_signed<std::int64_t>(bytes)};
    case GgufKind::f32:
      return {kind, static_cast<double>(load<float>(bytes))};
    case GgufKind::f64:
      return {kind, load<double>(bytes)};
    case GgufKind::boolean:
      return {kind, load<std::uint8_t>(bytes) != 0};
    case GgufKind::string:
    case GgufKind::array:
      break;
  }
  HONE_ASSERT(false, static_cast<int>(kind));
  return {};
}

GgufKind read_kind(GgufCursor& cursor) {
  const std::size_t at = cursor.offset();
  const std::uint32_t kind = cursor.read<std::uint32_t>("the type of the value");
  if (kind > static_cast<std::uint32_t>(GgufKind::f64)) {
    cursor.refuse(fmt::format("the unknown value type {}", kind), at);
  }
  return static_cast<GgufKind>(kind);
}

void check_booleans(GgufCursor& cursor, std::span<const std::byte> bytes) {
  for (const std::byte each : bytes) {
    if (std::to_integer<int>(each) > 1) {
      cursor.refuse(fmt::format("a boolean of {}, neither 0 nor 1", std::to_integer<int>(each)));
    }
  }
}

GgufArray read_array(GgufCursor& cursor, int nesting) {
  if (nesting > kMaxNesting) {
    cursor.refuse(fmt::format("lists nested deeper than {} levels", kMaxNesting));
  }
  GgufArray array;
  array.kind = read_kind(cursor);
  if (array.kind == GgufKind::string) {
    array.count = cursor.read_count("the length of a list", 8);
    array.strings.reserve(static_cast<std::size_t>(array.count));
    for (std::uint64_t index = 0; index < array.count; ++index) {
      array.strings.push_back(cursor.read_string("a string of a list"));
    }
  } else if (array.kind == GgufKind::array) {
    array.count = cursor.read_count("the length of a list", 12);
    for (std::uint64_t index = 0; index < array.count; ++index) {
      array.arrays.push_back(read_array(cursor, nesting + 1));
    }
  } else {
    array.count = cursor.read_count("the length of a list", size_bytes(array.kind));
    array.raw = cursor.take(array.count * size_bytes(array.kind), "a list");
    if (array.kind == GgufKind::boolean) check_booleans(cursor, array.raw);
  }
  return array;
}

}  // namespace

GgufValue read_gguf_value(GgufCursor& cursor) {
  const GgufKind kind = read_kind(cursor);
  if (kind == GgufKind::string) return {kind, cursor.read_string("a string")};
  if (kind == GgufKind::array) return {kind, read_array(cursor, 1)};
  const std::span<const std::byte> bytes = cursor.take(size_bytes(kind), "a value");
  if (kind == GgufKind::boolean) check_booleans(cursor, bytes);
  return load_number(kind, bytes.data());
}

GgufValue item_of(const GgufArray& array, std::uint64_t index) {
  HONE_ASSERT(index < array.count, index, array.count);
  return load_number(array.kind, array.raw.data() + index * size_bytes(array.kind));
}

}  // namespace hone::formats
