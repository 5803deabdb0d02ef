#include "data/templates/marked_text.h"

#include <algorithm>

namespace hone::data {

MarkedText MarkedText::own(std::string_view text) {
  return MarkedText().append_own(text);
}

MarkedText MarkedText::user(std::string_view text) {
  return MarkedText().append_user(text);
}

MarkedText& MarkedText::append_own(std::string_view text) {
  text_ += text;
  return *this;
}

MarkedText& MarkedText::append_user(std::string_view text) {
  if (text.empty()) return *this;
  const std::size_t begin = text_.size();
  text_ += text;
  if (!user_ranges_.empty() && user_ranges_.back().end == begin) {
    user_ranges_.back().end = text_.size();
  } else {
    user_ranges_.push_back({begin, text_.size()});
  }
  return *this;
}

MarkedText& MarkedText::append(const MarkedText& other) {
  std::size_t done = 0;
  for (const TextRange& range : other.user_ranges_) {
    append_own(std::string_view(other.text_).substr(done, range.begin - done));
    append_user(std::string_view(other.text_).substr(range.begin, range.end - range.begin));
    done = range.end;
  }
  return append_own(std::string_view(other.text_).substr(done));
}

MarkedText MarkedText::slice(std::size_t begin, std::size_t end) const {
  MarkedText part;
  part.text_ = text_.substr(begin, end - begin);
  for (const TextRange& range : user_ranges_) {
    const std::size_t from = std::max(range.begin, begin);
    const std::size_t to = std::min(range.end, end);
    if (from < to) part.user_ranges_.push_back({from - begin, to - begin});
  }
  return part;
}

void MarkedText::trim_leading_line_ends() {
  const std::size_t begin = std::min(text_.find_first_not_of('\n'), text_.size());
  *this = slice(begin, text_.size());
}

void MarkedText::substitute(std::string_view placeholder, const MarkedText& value) {
  const std::size_t at = text_.find(placeholder);
  if (at == std::string::npos) return;
  MarkedText replaced = slice(0, at);
  replaced.append(value);
  replaced.append(slice(at + placeholder.size(), text_.size()));
  *this = std::move(replaced);
}

}  // namespace hone::data
