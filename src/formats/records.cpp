#include "formats/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "formats/json_decoder.h"
#include "formats/regular_file.h"
#include "formats/text_encoding.h"
#include "formats/value_scanner.h"

namespace hone::formats {
namespace {

constexpr std::size_t kMaxRecordBytes = std::size_t{256} << 20;

}  // namespace

class RecordReader::Impl {
 public:
  Impl(FileDescriptor descriptor, std::string name)
      : descriptor_(std::move(descriptor)), name_(std::move(name)) {}
  Impl(std::string_view text, std::string name)
      : name_(std::move(name)), buffer_(text), ended_(true) {}

  bool next(Record& record);

  const std::string& name() const { return name_; }
  std::int64_t replaced() const { return replaced_; }

 private:
  enum class Layout { unknown, lines, list, done };

  std::string_view unread() const { return std::string_view(buffer_).substr(begin_); }
  bool fill();
  void consume(std::size_t count);
  char skip_blanks();  // the next character that is not blank; 0 at the end
  void start();
  bool to_next_in_list();
  bool to_next_line();
  void read_value(Record& record);
  [[noreturn]] void refuse(const std::string& found, const std::string& remedy) const;

  FileDescriptor descriptor_;
  std::string name_;
  std::string buffer_;
  std::size_t begin_ = 0;          // of the unread bytes in the buffer
  std::size_t buffer_offset_ = 0;  // of the buffer's first byte in the file
  std::size_t line_ = 1;           // of the first unread byte
  std::size_t line_offset_ = 0;    // where that line starts in the file
  bool ended_ = false;             // all of the file is in the buffer
  Layout layout_ = Layout::unknown;
  std::int64_t records_ = 0;
  std::size_t last_record_line_ = 0;
  std::int64_t replaced_ = 0;
  JsonDecoder decoder_;
};

bool RecordReader::Impl::fill() {
  if (ended_) return false;
  buffer_.erase(0, begin_);
  buffer_offset_ += begin_;
  begin_ = 0;
  ended_ = !read_block(descriptor_, name_, buffer_);
  return !ended_;
}

void RecordReader::Impl::consume(std::size_t count) {
  const char* const start = buffer_.data() + begin_;
  const char* at = start;
  while (const void* found = std::memchr(at, '\n', static_cast<std::size_t>(start + count - at))) {
    at = static_cast<const char*>(found) + 1;
    ++line_;
    line_offset_ = buffer_offset_ + begin_ + static_cast<std::size_t>(at - start);
  }
  begin_ += count;
}

char RecordReader::Impl::skip_blanks() {
  do {
    const std::size_t blanks = unread().find_first_not_of(" \t\r\n");
    consume(std::min(blanks, unread().size()));
  } while (unread().empty() && fill());
  return unread().empty() ? '\0' : unread().front();
}

void RecordReader::Impl::start() {
  while (unread().size() < 4 && fill()) {
  }
  refuse_foreign_encoding(unread().substr(0, 4), name_);
  if (unread().substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    consume(kByteOrderMark.size());
    line_offset_ = kByteOrderMark.size();
  }
  layout_ = skip_blanks() == '[' ? Layout::list : Layout::lines;
  if (layout_ == Layout::list) consume(1);
}

bool RecordReader::Impl::to_next_in_list() {
  const bool first = records_ == 0;
  char next = skip_blanks();
  if (next == ']' || (next == '\0' && unread().empty())) {
    if (unread().empty())
      refuse("the end of the file inside the list", "check that it was copied whole");
    consume(1);
    skip_blanks();
    if (!unread().empty()) refuse("more text after the end of the list", "remove it");
    layout_ = Layout::done;
    return false;
  }
  if (first) return true;
  if (next != ',') {
    refuse(fmt::format("'{}' after a record", printable(unread().substr(0, 1))),
           "put a comma between records, and ']' after the last one");
  }
  consume(1);
  next = skip_blanks();
  if (next == ']') refuse("a comma before ']'", "remove the comma");
  if (unread().empty())
    refuse("the end of the file inside the list", "check that it was copied whole");
  return true;
}

bool RecordReader::Impl::to_next_line() {
  skip_blanks();
  if (unread().empty()) return false;
  if (records_ > 0 && last_record_line_ == line_) {
    refuse("more text after a record on its line",
           "write one record per line, or all of them as one list in [ ]");
  }
  return true;
}

void RecordReader::Impl::read_value(Record& record) {
  ValueScanner scanner;
  while (!scanner.scan(unread()) && fill()) {
    if (unread().size() > kMaxRecordBytes) {
      refuse(fmt::format("a record that does not end within {} bytes", kMaxRecordBytes),
             "look for a bracket or quotation mark that is not closed");
    }
  }
  const std::string_view text = unread().substr(0, scanner.length());
  const std::size_t offset = buffer_offset_ + begin_;
  const JsonSource source{name_, records_ + 1, offset, line_, offset - line_offset_ + 1};
  record.number = ++records_;
  record.line = static_cast<std::int64_t>(line_);
  record.replaced_surrogates = 0;
  record.value = decoder_.decode_replacing(text, source, record.replaced_surrogates);
  replaced_ += record.replaced_surrogates;
  consume(text.size());
  last_record_line_ = line_;
}

void RecordReader::Impl::refuse(const std::string& found, const std::string& remedy) const {
  throw UserError({fmt::format("JSON: {}, line {}, column {}", name_, line_,
                               buffer_offset_ + begin_ - line_offset_ + 1),
                   found, remedy});
}

bool RecordReader::Impl::next(Record& record) {
  if (layout_ == Layout::unknown) start();
  if (layout_ == Layout::done) return false;
  const bool more = layout_ == Layout::list ? to_next_in_list() : to_next_line();
  if (more) read_value(record);
  return more;
}

RecordReader::RecordReader(const std::filesystem::path& file) {
  RegularFile opened = open_regular_file(file);
  impl_ = std::make_unique<Impl>(std::move(opened.descriptor), shown_path(file));
}

RecordReader::RecordReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RecordReader::RecordReader(RecordReader&&) noexcept = default;
RecordReader& RecordReader::operator=(RecordReader&&) noexcept = default;
RecordReader::~RecordReader() = default;

RecordReader RecordReader::from_text(std::string_view text, std::string name) {
  return RecordReader(std::make_unique<Impl>(text, std::move(name)));
}

bool RecordReader::next(Record& record) {
  return impl_->next(record);
}
std::int64_t RecordReader::replaced_surrogates() const {
  return impl_->replaced();
}
const std::string& RecordReader::file_name() const {
  return impl_->name();
}

}  // namespace hone::formats
