// Finds the texts of a fixed set in a longer text: leftmost first, of those the longest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace hone::data {

class TextMatcher {
 public:
  struct Match {
    std::size_t begin;
    std::size_t end;
    std::int32_t value;
  };

  // The text must not be empty; a text added twice keeps its last value.
  void add(std::string_view text, std::int32_t value);

  // The first match that begins at or after `start`.
  std::optional<Match> find(std::string_view text, std::size_t start) const;

 private:
  struct Node {
    std::map<unsigned char, std::size_t> next;  // byte -> index of a node
    std::optional<std::int32_t> value;
  };

  std::optional<Match> match_at(std::string_view text, std::size_t begin) const;

  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::array<bool, 256> begins_ = {};  // bytes with which any text begins
};

}  // namespace hone::data
