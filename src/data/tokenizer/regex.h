// Regular expressions of tokenizer files, run by PCRE2.
//
// tokenizer.json holds patterns in the dialect of Oniguruma (its Ruby syntax). Where the two
// engines read the same text differently, the pattern is rewritten (\s, \w, \h, \v, \uXXXX, {,n})
// or refused in words (class intersections and nested classes, {n,m}+ ...), never run with another
// meaning.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hone::data {

// The same pattern for PCRE2. UserError for what has no counterpart; `where` names the place in the
// file.
std::string translate_pattern(std::string_view pattern, std::string_view where);

class Regex {
 public:
  // UserError when the pattern is malformed.
  Regex(std::string_view pattern, std::string_view where);
  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  // Byte ranges [first, second) of all matches from left to right, not overlapping. The text must
  // be valid UTF-8.
  std::vector<std::pair<std::size_t, std::size_t>> matches(std::string_view text) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

// The text as a pattern that matches exactly it.
std::string escape_pattern(std::string_view text);

}  // namespace hone::data
