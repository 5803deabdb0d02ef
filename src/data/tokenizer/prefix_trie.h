// Which texts of a fixed set begin at a place of another text, in one walk.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hone::data {

class PrefixTrie {
 public:
  // Texts with their values; empty texts are left out, of equal ones the last counts.
  explicit PrefixTrie(std::vector<std::pair<std::string_view, std::int32_t>> texts);

  // Calls visit(length, value) for each text with which `text` begins, the shortest first.
  template <class Visit>
  void prefixes(std::string_view text, Visit visit) const {
    std::optional<std::size_t> node = 0;
    for (std::size_t length = 1; length <= text.size(); ++length) {
      node = child(*node, static_cast<unsigned char>(text[length - 1]));
      if (!node) return;
      if (nodes_[*node].value >= 0) visit(length, nodes_[*node].value);
    }
  }

 private:
  struct Node {
    std::uint32_t first_child = 0;  // children lie together, by rising byte
    std::uint16_t children = 0;
    unsigned char byte = 0;
    std::int32_t value = -1;
  };

  std::optional<std::size_t> child(std::size_t node, unsigned char byte) const;

  std::vector<Node> nodes_;
};

}  // namespace hone::data
