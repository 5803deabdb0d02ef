#include "data/tokenizer/wire_reader.h"

#include <cstring>

#include <fmt/format.h>

#include "base/error.h"

namespace hone::data {

namespace {

constexpr unsigned kVarint = 0;
constexpr unsigned kEightBytes = 1;
constexpr unsigned kDelimited = 2;
constexpr unsigned kFourBytes = 5;

}  // namespace

void WireReader::refuse(const std::string& found) const {
  throw UserError({std::string(name_),
                   fmt::format("no SentencePiece model: byte {}: {}", offset_ + at_, found),
                   "the file is damaged or of another kind: take the one that came with the model, "
                   "or the model's tokenizer.json"});
}

std::uint64_t WireReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at_end()) refuse("the file ends inside a number");
    const auto byte = static_cast<unsigned char>(bytes_[at_++]);
    value |= static_cast<std::uint64_t>(byte & 0x7fu) << shift;
    if ((byte & 0x80u) == 0) return value;
  }
  refuse("a number of more than ten bytes");
}

std::uint64_t WireReader::fixed(std::size_t size) {
  if (bytes_.size() - at_ < size) refuse("the file ends inside a number");
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) {
    value = (value << 8) | static_cast<unsigned char>(bytes_[at_ + i]);
  }
  at_ += size;
  return value;
}

WireReader::Field WireReader::next() {
  Field field;
  const std::uint64_t tag = varint();
  field.number = tag >> 3;
  field.type = static_cast<unsigned>(tag & 7u);
  if (field.number == 0) refuse("a field with the number 0");
  switch (field.type) {
    case kVarint:
      field.value = varint();
      break;
    case kEightBytes:
      field.value = fixed(8);
      break;
    case kFourBytes:
      field.value = fixed(4);
      break;
    case kDelimited: {
      const std::uint64_t length = varint();
      if (length > bytes_.size() - at_) {
        refuse(fmt::format("a field of {} bytes where {} are left", length, bytes_.size() - at_));
      }
      field.bytes = bytes_.substr(at_, static_cast<std::size_t>(length));
      field.bytes_offset = offset_ + at_;
      at_ += static_cast<std::size_t>(length);
      break;
    }
    default:
      refuse(fmt::format("a field of the wire type {}", field.type));
  }
  return field;
}

void WireReader::expect(const Field& field, unsigned type) const {
  if (field.type == type) return;
  refuse(fmt::format("field {} has the wire type {} where {} belongs", field.number, field.type,
                     type));
}

std::int64_t WireReader::integer(const Field& field) const {
  expect(field, kVarint);
  return static_cast<std::int64_t>(field.value);
}

double WireReader::float32(const Field& field) const {
  expect(field, kFourBytes);
  const auto bits = static_cast<std::uint32_t>(field.value);
  float value = 0.0F;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<double>(value);
}

std::string_view WireReader::text(const Field& field) const {
  expect(field, kDelimited);
  return field.bytes;
}

WireReader WireReader::message(const Field& field) const {
  expect(field, kDelimited);
  return WireReader(field.bytes, name_, field.bytes_offset);
}

}  // namespace hone::data
