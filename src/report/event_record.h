// TensorBoard's event files: records of bytes, each one protocol buffer message `Event`.
//
// A record (TensorFlow's tfrecord format): length (u64, little endian), masked CRC32C of those 8
// bytes (u32), the message, masked CRC32C of the message (u32). Masked: rotated right by 15 bits,
// plus 0xa282ead8. A file's first message holds the version and nothing else.
//
// Of the messages (tensorflow/core/util/event.proto, framework/summary.proto, tensor.proto) these
// fields are written: Event.wall_time = 1 (double), .step = 2, .file_version = 3, .summary = 5,
// .session_log = 7; Summary.value = 1; Value.tag = 1, .simple_value = 2 (float), .tensor = 8,
// .metadata = 9; SessionLog.status = 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::report {

// CRC-32C (Castagnoli polynomial) of the bytes.
std::uint32_t crc32c(std::string_view bytes);

// A message as it stands in a file.
std::string event_record(std::string_view message);

struct Scalar {
  std::string tag;
  double value = 0;  // rounded to f32, which is all that the format holds
};

// Messages; wall_seconds counts from 1970.
std::string version_event(double wall_seconds);
std::string scalars_event(double wall_seconds, std::int64_t step,
                          const std::vector<Scalar>& scalars);
// Shown under "Text" as `tag`.
std::string text_event(double wall_seconds, std::int64_t step, const std::string& tag,
                       std::string_view text);
// "The run begins again with this step": readers let go of what they had from it on.
std::string session_start_event(double wall_seconds, std::int64_t first_step);

// One whole record of a file.
struct FoundEvent {
  std::size_t offset = 0;  // of the record, in bytes
  std::size_t size = 0;    // of the record, in bytes
  std::int64_t step = 0;
  std::string_view message;  // into the file's bytes
};

// The records of a file up to the first that is torn or damaged.
std::vector<FoundEvent> read_events(std::string_view file);

}  // namespace hone::report
