#include "data/templates/thoughts.h"

namespace hone::data {

namespace {

std::string stripped(const std::string& text) {
  constexpr const char* kBlank = " \t\n\r\f\v";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

}  // namespace

std::string without_thoughts(const std::string& content, const WordPair& words) {
  std::string rest;
  std::size_t done = 0;
  for (;;) {
    const std::size_t open = content.find(words.open, done);
    if (open == std::string::npos) break;
    const std::size_t close = content.find(words.close, open + words.open.size());
    if (close == std::string::npos) break;
    rest.append(content, done, open - done);
    done = close + words.close.size();
  }
  rest.append(content, done);
  rest.erase(0, rest.find_first_not_of('\n'));
  return rest;
}

bool mentions_thought(const std::string& content, const WordPair& words) {
  return content.find(stripped(words.open)) != std::string::npos ||
         content.find(stripped(words.close)) != std::string::npos;
}

std::string empty_thought(const WordPair& words) {
  return words.open + words.close;
}

}  // namespace hone::data
