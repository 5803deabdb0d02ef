#include "formats/text_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

constexpr std::size_t kMaxLineBytes = std::size_t{256} << 20;

}  // namespace

TextLines::TextLines(const std::filesystem::path& file) {
  RegularFile opened = open_regular_file(file);
  descriptor_ = std::move(opened.descriptor);
  name_ = shown_path(file);
}

bool TextLines::fill() {
  if (ended_) return false;
  buffer_.erase(0, begin_);
  offset_ += begin_;
  begin_ = 0;
  ended_ = !read_block(descriptor_, name_, buffer_);
  return !ended_;
}

// Where the line that starts at begin_ ends in the buffer; a CR at the end of the buffer may be
// followed by its LF.
std::size_t TextLines::find_end() {
  std::size_t looked = 0;  // relative to begin_, which filling moves
  while (true) {
    const std::size_t end = buffer_.find_first_of("\r\n", begin_ + looked);
    const bool certain =
        end != std::string::npos && (buffer_[end] == '\n' || end + 1 < buffer_.size());
    if (certain) return end;
    looked = (end == std::string::npos ? buffer_.size() : end) - begin_;
    if (looked > kMaxLineBytes) {
      throw UserError({fmt::format("text: {}, line {}", name_, number_ + 1),
                       fmt::format("a line of more than {} bytes", kMaxLineBytes),
                       "cut it into several, or check that this is a text file"});
    }
    if (!fill()) return begin_ + looked;
  }
}

bool TextLines::next(std::string_view& line) {
  if (!started_) {
    started_ = true;
    while (buffer_.size() < 4 && fill()) {
    }
    refuse_foreign_encoding(std::string_view(buffer_).substr(0, 4), name_);
    if (std::string_view(buffer_).substr(0, kByteOrderMark.size()) == kByteOrderMark) {
      begin_ = kByteOrderMark.size();
    }
  }
  if (begin_ == buffer_.size() && !fill()) return false;
  const std::size_t end = find_end();
  line = std::string_view(buffer_).substr(begin_, end - begin_);
  refuse_invalid_utf8(line, name_, offset_ + begin_);
  const std::size_t after =
      buffer_.compare(end, 2, "\r\n") == 0 ? 2 : std::min(buffer_.size() - end, std::size_t{1});
  ending_ = std::string_view(buffer_).substr(end, after);
  begin_ = end + after;
  ++number_;
  return true;
}

bool TextReader::next(Record& record) {
  std::string_view line;
  if (!lines_.next(line)) return false;
  record.number = lines_.number();
  record.line = lines_.number();
  record.replaced_surrogates = 0;
  record.value = Object{{"text", std::string(line)}};
  return true;
}

}  // namespace hone::formats
