// Chat templates with letters changed, cut and moved: rendered or refused, never anything else.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "fuzz/template_trials.h"

namespace hone::data {
namespace {

// Numbers that are the same everywhere (Knuth's MMIX generator).
class Numbers {
 public:
  std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33U) % limit;
  }

 private:
  std::uint64_t state_ = 7;
};

std::string mutated(std::string text, Numbers& numbers) {
  constexpr std::string_view kParts[] = {"{%", "%}", "{{", "}}",    "-",    "(",
                                         ")",  "[",  "]",  "'",     "|",    ".",
                                         ":",  "*",  "\n", " not ", " if ", "\xf0"};
  for (std::size_t i = 0; i <= numbers.below(3); ++i) {
    const std::size_t at = numbers.below(text.size() + 1);
    switch (numbers.below(3)) {
      case 0:
        text.erase(at, numbers.below(12));
        break;
      case 1:
        text.insert(at, kParts[numbers.below(std::size(kParts))]);
        break;
      default:
        text.insert(at, text.substr(numbers.below(text.size() + 1), numbers.below(40)));
        break;
    }
  }
  return text;
}

TEST(JinjaMutation, IsRenderedOrRefused) {
  int rendered = 0;
  int refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HONE_TEST_DATA "/chat_templates")) {
    if (entry.path().extension() != ".jinja") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream source;
    Numbers numbers;
    source << file.rdbuf();
    for (int i = 0; i < 60; ++i) {
      (try_chat_template(mutated(source.str(), numbers)) ? rendered : refused) += 1;
    }
  }
  EXPECT_GT(rendered, 20);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace hone::data
