#include "report/event_record.h"

#include <array>
#include <cstring>

namespace hone::report {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kCheckBytes = 4;
constexpr std::size_t kFrameBytes = kLengthBytes + kCheckBytes + kCheckBytes;

constexpr std::uint32_t kCastagnoli = 0x82f63b78u;  // bits reversed
constexpr std::uint32_t kMaskDelta = 0xa282ead8u;

// Wire types of protocol buffers.
enum Wire : std::uint32_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

constexpr std::uint32_t kStepField = 2;

std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table = {};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value >> 1) ^ ((value & 1u) != 0 ? kCastagnoli : 0u);
    }
    table[i] = value;
  }
  return table;
}

std::uint32_t masked(std::uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + kMaskDelta;
}

std::string little_endian(std::uint64_t value, std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>((value >> (8 * i)) & 0xffu);
  return text;
}

std::uint64_t read_little_endian(std::string_view text) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  }
  return value;
}

// Writes the fields of one message.
class Message {
 public:
  Message& whole(std::uint32_t field, std::uint64_t value) {
    key(field, Wire::varint);
    number(value);
    return *this;
  }
  Message& real(std::uint32_t field, double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    key(field, Wire::fixed64);
    text_ += little_endian(bits, sizeof bits);
    return *this;
  }
  Message& small_real(std::uint32_t field, float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    key(field, Wire::fixed32);
    text_ += little_endian(bits, sizeof bits);
    return *this;
  }
  Message& text(std::uint32_t field, std::string_view value) {
    key(field, Wire::bytes);
    number(value.size());
    text_ += value;
    return *this;
  }
  const std::string& done() const { return text_; }

 private:
  void key(std::uint32_t field, Wire wire) { number(field << 3 | wire); }
  void number(std::uint64_t value) {
    for (; value >= 0x80u; value >>= 7) text_ += static_cast<char>(0x80u | (value & 0x7fu));
    text_ += static_cast<char>(value);
  }

  std::string text_;
};

Message event(double wall_seconds, std::int64_t step) {
  Message message;
  message.real(1, wall_seconds);
  if (step != 0) message.whole(kStepField, static_cast<std::uint64_t>(step));
  return message;
}

std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < text.size() && i < 10; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    value |= static_cast<std::uint64_t>(byte & 0x7fu) << (7 * i);
    if ((byte & 0x80u) != 0) continue;
    text.remove_prefix(i + 1);
    return value;
  }
  return std::nullopt;
}

// The step of an Event; fields that are not known are passed over.
std::int64_t step_of(std::string_view message) {
  std::int64_t step = 0;
  while (!message.empty()) {
    const auto key = take_number(message);
    if (!key) break;
    std::uint64_t size = 0;
    switch (*key & 7u) {
      case Wire::varint: {
        const auto value = take_number(message);
        if (!value) return step;
        if (*key >> 3 == kStepField) step = static_cast<std::int64_t>(*value);
        break;
      }
      case Wire::fixed64:
        size = 8;
        break;
      case Wire::fixed32:
        size = 4;
        break;
      case Wire::bytes: {
        const auto length = take_number(message);
        if (!length) return step;
        size = *length;
        break;
      }
      default:
        return step;
    }
    if (size > message.size()) break;
    message.remove_prefix(static_cast<std::size_t>(size));
  }
  return step;
}

}  // namespace

std::uint32_t crc32c(std::string_view text) {
  static const std::array<std::uint32_t, 256> kTable = crc_table();
  std::uint32_t crc = 0xffffffffu;
  for (const char byte : text) {
    crc = kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xffu] ^ (crc >> 8);
  }
  return crc ^ 0xffffffffu;
}

std::string event_record(std::string_view message) {
  std::string record = little_endian(message.size(), kLengthBytes);
  record += little_endian(masked(crc32c(record)), kCheckBytes);
  record += message;
  record += little_endian(masked(crc32c(message)), kCheckBytes);
  return record;
}

std::string version_event(double wall_seconds) {
  return event(wall_seconds, 0).text(3, "brain.Event:2").done();
}

std::string scalars_event(double wall_seconds, std::int64_t step,
                          const std::vector<Scalar>& scalars) {
  Message summary;
  for (const Scalar& scalar : scalars) {
    summary.text(
        1, Message().text(1, scalar.tag).small_real(2, static_cast<float>(scalar.value)).done());
  }
  return event(wall_seconds, step).text(5, summary.done()).done();
}

std::string text_event(double wall_seconds, std::int64_t step, const std::string& tag,
                       std::string_view text) {
  constexpr std::uint64_t kStringType = 7;  // DT_STRING
  const std::string one = Message().text(2, Message().whole(1, 1).done()).done();
  const Message tensor = Message().whole(1, kStringType).text(2, one).text(8, text);
  const std::string plugin = Message().text(1, Message().text(1, "text").done()).done();
  const Message value =
      Message().text(1, tag + "/text_summary").text(8, tensor.done()).text(9, plugin);
  const Message summary = Message().text(1, value.done());
  return event(wall_seconds, step).text(5, summary.done()).done();
}

std::string session_start_event(double wall_seconds, std::int64_t first_step) {
  constexpr std::uint64_t kStart = 1;
  return event(wall_seconds, first_step).text(7, Message().whole(1, kStart).done()).done();
}

std::vector<FoundEvent> read_events(std::string_view file) {
  std::vector<FoundEvent> events;
  std::size_t offset = 0;
  while (file.size() - offset >= kFrameBytes) {
    const std::string_view rest = file.substr(offset);
    const std::string_view length = rest.substr(0, kLengthBytes);
    const std::uint64_t size = read_little_endian(length);
    const std::uint64_t check = read_little_endian(rest.substr(kLengthBytes, kCheckBytes));
    if (check != masked(crc32c(length)) || size > rest.size() - kFrameBytes) break;
    const auto bytes = static_cast<std::size_t>(size);
    const std::string_view message = rest.substr(kLengthBytes + kCheckBytes, bytes);
    const std::string_view after = rest.substr(kLengthBytes + kCheckBytes + bytes, kCheckBytes);
    if (read_little_endian(after) != masked(crc32c(message))) break;
    events.push_back({offset, kFrameBytes + bytes, step_of(message), message});
    offset += kFrameBytes + bytes;
  }
  return events;
}

}  // namespace hone::report
