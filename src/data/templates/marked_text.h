// Text of which it is known who wrote each part: the template or the record.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/tokenizer/tokenizer.h"

namespace hone::data {

class MarkedText {
 public:
  static MarkedText own(std::string_view text);   // the template's
  static MarkedText user(std::string_view text);  // the record's

  MarkedText& append_own(std::string_view text);
  MarkedText& append_user(std::string_view text);
  MarkedText& append(const MarkedText& other);

  // Replaces the first occurrence of `placeholder` anywhere in the text, if there is one.
  void substitute(std::string_view placeholder, const MarkedText& value);

  void trim_leading_line_ends();

  const std::string& text() const { return text_; }
  // Ascending, not overlapping, none empty.
  const std::vector<TextRange>& user_ranges() const { return user_ranges_; }
  bool empty() const { return text_.empty(); }

 private:
  MarkedText slice(std::size_t begin, std::size_t end) const;

  std::string text_;
  std::vector<TextRange> user_ranges_;
};

}  // namespace hone::data
