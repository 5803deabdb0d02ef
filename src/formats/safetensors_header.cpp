#include "formats/safetensors_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "formats/json_events.h"
#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

constexpr const char* kRemedy = "download or copy the file again";
// Bytes before the header: its length.
constexpr std::size_t kLengthBytes = 8;

// Takes exactly what the format allows, and stops at anything else.
class HeaderEvents final : public JsonEvents {
 public:
  explicit HeaderEvents(const std::string& file_name) : file_name_(file_name) {}

  SafetensorsHeader take() { return std::move(header_); }

  void null_value() override { refuse_value("null"); }
  void boolean(bool) override { refuse_value("a boolean"); }
  void number(double) override { refuse_value("a number that is not a whole one of 64 bits"); }
  void integer(std::int64_t value) override;
  void string(std::string&& value) override;
  void start_object() override;
  void key(std::string&& name) override;
  void end_object() override;
  void start_array() override;
  void end_array() override;

 private:
  // Where in the header we are; the lists are those of an entry.
  enum class At { outside, root, metadata, entry, shape, offsets };
  enum class Field { none, dtype, shape, offsets };

  [[noreturn]] void refuse(const std::string& found) const {
    const std::string asked =
        name_.empty() ? "safetensors: " + file_name_
                      : fmt::format("safetensors: {}, tensor '{}'", file_name_, printable(name_));
    throw UserError({asked, fmt::format("{} (byte {})", found, kLengthBytes + offset), kRemedy});
  }
  [[noreturn]] void refuse_value(const std::string& what) const;
  void take_field(const std::string& name);
  void finish_entry();

  const std::string& file_name_;
  SafetensorsHeader header_;
  std::unordered_set<std::string> names_;
  At at_ = At::outside;
  std::string name_;  // the key in root whose value is being read
  std::string metadata_key_;
  SafetensorsEntry entry_;
  std::vector<std::int64_t> offsets_;
  Field field_ = Field::none;
  bool seen_dtype_ = false, seen_shape_ = false, seen_offsets_ = false;
};

void HeaderEvents::refuse_value(const std::string& what) const {
  switch (at_) {
    case At::outside:
      refuse(fmt::format("a header that is {}, not an object", what));
    case At::root:
      refuse(fmt::format("{} in place of its description", what));
    case At::metadata:
      refuse(fmt::format("{} as \"{}\" of __metadata__, which holds strings only", what,
                         printable(metadata_key_)));
    case At::shape:
      refuse(fmt::format("{} in its shape", what));
    case At::offsets:
      refuse(fmt::format("{} in its data_offsets", what));
    case At::entry:
      break;
  }
  const char* field = field_ == Field::dtype   ? "dtype"
                      : field_ == Field::shape ? "shape"
                                               : "data_offsets";
  refuse(fmt::format("{} as its {}", what, field));
}

void HeaderEvents::integer(std::int64_t value) {
  if (at_ != At::shape && at_ != At::offsets) refuse_value("a number");
  if (value < 0) refuse_value(fmt::format("the negative number {}", value));
  (at_ == At::shape ? entry_.shape : offsets_).push_back(value);
}

void HeaderEvents::string(std::string&& value) {
  if (at_ == At::metadata) {
    header_.metadata.emplace_back(std::move(metadata_key_), std::move(value));
    return;
  }
  if (at_ != At::entry || field_ != Field::dtype) refuse_value("a string");
  entry_.type = find_safetensors_dtype(value);
  if (entry_.type == nullptr) refuse(fmt::format("the unknown dtype \"{}\"", printable(value)));
}

void HeaderEvents::start_object() {
  if (at_ == At::outside) {
    at_ = At::root;
  } else if (at_ == At::root) {
    at_ = name_ == "__metadata__" ? At::metadata : At::entry;
    entry_ = SafetensorsEntry();
    offsets_.clear();
    seen_dtype_ = seen_shape_ = seen_offsets_ = false;
  } else {
    refuse_value("an object");
  }
}

void HeaderEvents::key(std::string&& name) {
  if (at_ == At::metadata) {
    metadata_key_ = std::move(name);
  } else if (at_ == At::entry) {
    take_field(name);
  } else {
    name_ = std::move(name);
    if (!names_.insert(name_).second) refuse("the same name a second time");
  }
}

void HeaderEvents::take_field(const std::string& name) {
  bool* seen = nullptr;
  if (name == "dtype") {
    field_ = Field::dtype;
    seen = &seen_dtype_;
  } else if (name == "shape") {
    field_ = Field::shape;
    seen = &seen_shape_;
  } else if (name == "data_offsets") {
    field_ = Field::offsets;
    seen = &seen_offsets_;
  } else {
    refuse(fmt::format("the unknown key \"{}\"", printable(name)));
  }
  if (*seen) refuse(fmt::format("the key \"{}\" a second time", name));
  *seen = true;
}

void HeaderEvents::start_array() {
  if (at_ == At::entry && field_ == Field::shape) {
    at_ = At::shape;
  } else if (at_ == At::entry && field_ == Field::offsets) {
    at_ = At::offsets;
  } else {
    refuse_value("a list");
  }
}

void HeaderEvents::end_array() {
  if (at_ == At::offsets && offsets_.size() != 2) {
    refuse(fmt::format("data_offsets of {} numbers, not 2", offsets_.size()));
  }
  at_ = At::entry;
}

void HeaderEvents::end_object() {
  if (at_ == At::entry) finish_entry();
  at_ = at_ == At::root ? At::outside : At::root;
  name_.clear();
}

void HeaderEvents::finish_entry() {
  if (!seen_dtype_) refuse("no dtype");
  if (!seen_shape_) refuse("no shape");
  if (!seen_offsets_) refuse("no data_offsets");
  entry_.name = name_;
  entry_.begin = static_cast<std::uint64_t>(offsets_[0]);
  entry_.end = static_cast<std::uint64_t>(offsets_[1]);
  if (entry_.begin > entry_.end) {
    refuse(
        fmt::format("data_offsets that end before they start: [{}, {}]", entry_.begin, entry_.end));
  }
  std::uint64_t bits = static_cast<std::uint64_t>(entry_.type->bits);
  for (const std::int64_t extent : entry_.shape) {
    if (__builtin_mul_overflow(bits, static_cast<std::uint64_t>(extent), &bits)) {
      refuse(fmt::format("a shape too large to count: {}", entry_.shape_text()));
    }
  }
  if (bits % 8 != 0) {
    refuse(fmt::format("{} of shape {}, which is no whole number of bytes", entry_.type->name,
                       entry_.shape_text()));
  }
  if (bits / 8 != entry_.size_bytes()) {
    refuse(fmt::format("data_offsets [{}, {}] hold {} bytes, but {} of shape {} has {}",
                       entry_.begin, entry_.end, entry_.size_bytes(), entry_.type->name,
                       entry_.shape_text(), bits / 8));
  }
  header_.tensors.push_back(std::move(entry_));
}

// Sorts the tensors by their bytes and checks that they tile the data.
void check_tiling(SafetensorsHeader& header, std::uint64_t data_bytes, std::uint64_t data_start,
                  const std::string& file_name) {
  std::vector<SafetensorsEntry>& tensors = header.tensors;
  std::stable_sort(tensors.begin(), tensors.end(), [](const auto& left, const auto& right) {
    return left.begin != right.begin ? left.begin < right.begin : left.end < right.end;
  });
  std::uint64_t reached = 0;
  const SafetensorsEntry* before = nullptr;
  for (const SafetensorsEntry& tensor : tensors) {
    if (tensor.begin != reached) {
      const std::string what =
          tensor.begin > reached
              ? fmt::format("{} bytes that belong to no tensor before it, at byte {} of the data",
                            tensor.begin - reached, reached)
              : fmt::format("its bytes [{}, {}] overlap those of tensor '{}', which end at {}",
                            tensor.begin, tensor.end, printable(before->name), reached);
      throw UserError(
          {fmt::format("safetensors: {}, tensor '{}'", file_name, printable(tensor.name)), what,
           kRemedy});
    }
    reached = tensor.end;
    before = &tensor;
  }
  if (reached == data_bytes) return;
  const std::string about =
      reached > data_bytes ? "the file is cut short" : "there is more after the last tensor";
  throw UserError({"safetensors: " + file_name,
                   fmt::format("{}: {} bytes expected, {} found", about, data_start + reached,
                               data_start + data_bytes),
                   kRemedy});
}

}  // namespace

std::string SafetensorsEntry::shape_text() const {
  const std::size_t shown = std::min<std::size_t>(shape.size(), 16);
  const std::vector<std::int64_t> first(shape.begin(),
                                        shape.begin() + static_cast<std::ptrdiff_t>(shown));
  return fmt::format("[{}{}]", fmt::join(first, ", "), shape.size() > shown ? ", ..." : "");
}

SafetensorsHeader read_safetensors_header(std::string_view json, std::uint64_t data_bytes,
                                          const std::string& file_name) {
  if (json.empty() || json.front() != '{') {
    throw UserError(
        {"safetensors: " + file_name,
         fmt::format("a header that starts with '{}', not with '{{'", printable(json.substr(0, 1))),
         kRemedy});
  }
  HeaderEvents events(file_name);
  JsonSource source;
  source.file_name = file_name + " (header)";
  source.offset_bytes = kLengthBytes;
  source.column = kLengthBytes + 1;
  read_json_events(json, source, events);
  SafetensorsHeader header = events.take();
  check_tiling(header, data_bytes, kLengthBytes + json.size(), file_name);
  return header;
}

}  // namespace hone::formats
