// One trial per reader of bytes: read the input, touch everything that the reader hands out, and
// accept a UserError, nothing else. Used by the fuzzers here and by the fast mutation test.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "formats/csv.h"
#include "formats/gguf.h"
#include "formats/gguf_dequantize.h"
#include "formats/json.h"
#include "formats/json_decoder.h"
#include "formats/json_writer.h"
#include "formats/records.h"
#include "formats/safetensors.h"
#include "formats/text_encoding.h"
#include "formats/yaml.h"

namespace hone::formats {

// A file that is never on a disk, for readers that map files.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content)
      : descriptor_(::memfd_create("trial", MFD_CLOEXEC)) {
    const ssize_t written = ::write(descriptor_.get(), content.data(), content.size());
    HONE_ASSERT(written == static_cast<ssize_t>(content.size()), written, content.size());
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_.get()); }

 private:
  FileDescriptor descriptor_;
};

inline void expect(bool held, const char* what) {
  if (!held) throw std::logic_error(what);
}

// Sum of all bytes, so that reading outside of the file is seen.
inline unsigned touch(std::span<const std::byte> bytes) {
  unsigned sum = 0;
  for (const std::byte each : bytes) sum += std::to_integer<unsigned>(each);
  return sum;
}

// Each trial returns true when the input was accepted.
inline bool try_safetensors(std::string_view input) {
  const MemoryFile memory(input);
  try {
    const SafetensorsFile file(memory.path());
    std::uint64_t total = 0;
    for (const SafetensorsEntry& tensor : file.tensors()) {
      touch(file.bytes(tensor));
      total += tensor.size_bytes();
      try {
        expect(file.view(tensor.name).bytes() == tensor.size_bytes(), "view and entry differ");
      } catch (const UserError&) {  // a dtype or rank that has no view
      }
    }
    expect(total < input.size(), "tensors larger than the file");
    return true;
  } catch (const UserError&) {
    return false;
  }
}

inline bool try_gguf(std::string_view input) {
  const MemoryFile memory(input);
  try {
    const GgufFile file(memory.path());
    for (const GgufTensor& tensor : file.tensors()) {
      touch(file.bytes(tensor));
      if (!can_dequantize(*tensor.type)) continue;
      std::vector<float> values(static_cast<std::size_t>(tensor.shape.elements()));
      dequantize(file, tensor, values);
    }
    for (const char* key : {"general.alignment", "general.name", "tokenizer.ggml.tokens"}) {
      try {
        file.optional_string(key);
        file.strings(key);
        file.numbers(key);
      } catch (const UserError&) {  // missing, or of another kind
      }
    }
    return true;
  } catch (const UserError&) {
    return false;
  }
}

// Both ways of reading agree, and what is written reads back as the same.
inline bool try_json(std::string_view input) {
  try {
    const JsonSource source{"trial"};
    const Value value = JsonDecoder().decode(input, source);
    expect(decode_slowly(input, source) == value, "the two JSON readers differ");
    expect(parse_json(dump_python(value), "written") == value, "written JSON reads differently");
    return true;
  } catch (const UserError&) {
    return false;
  }
}

inline std::vector<Value> records_in(std::string_view input) {
  RecordReader reader = RecordReader::from_text(input, "trial");
  std::vector<Value> values;
  Record record;
  while (reader.next(record)) values.push_back(std::move(record.value));
  return values;
}

// What is a list as a whole gives the same items as records.
inline bool try_records(std::string_view input) {
  Value whole;
  try {
    whole = parse_json(input, "trial");
  } catch (const UserError&) {  // no JSON as a whole, or a lone surrogate
  }
  try {
    const std::vector<Value> records = records_in(input);
    expect(!whole.is_array() || records == whole.array(), "records differ from the list");
    return true;
  } catch (const UserError&) {
    expect(!whole.is_array(), "records refuse a list that reads as a whole");
    return false;
  }
}

inline bool try_csv(std::string_view input) {
  const MemoryFile memory(input);
  try {
    CsvReader reader(memory.path());
    Record record;
    std::size_t columns = 0;
    std::int64_t line = 0;
    while (reader.next(record)) {
      const Object& object = record.value.object();
      expect(columns == 0 || object.size() == columns, "rows of different lengths");
      expect(record.line > line, "lines that do not rise");
      columns = object.size();
      line = record.line;
      for (const Member& member : object) {
        expect(!member.key.empty(), "a column without a name");
        const std::string* text = member.value.get_string();
        expect(text == nullptr || (!text->empty() && !invalid_utf8(*text)),
               "a field that is no text");
      }
    }
    return true;
  } catch (const UserError&) {
    return false;
  }
}

inline bool try_yaml(std::string_view input) {
  try {
    parse_yaml(input, "trial");
    return true;
  } catch (const UserError&) {
    return false;
  }
}

}  // namespace hone::formats
