#include "data/tokenizer/prefix_trie.h"

#include <algorithm>

namespace hone::data {

// Breadth first over the sorted texts: a node is a range of texts that agree in `depth` bytes, and
// its children are written one behind the other.
PrefixTrie::PrefixTrie(std::vector<std::pair<std::string_view, std::int32_t>> texts) {
  std::stable_sort(texts.begin(), texts.end(),
                   [](const auto& left, const auto& right) { return left.first < right.first; });
  struct Range {
    std::size_t begin;
    std::size_t end;
    std::size_t depth;
  };
  std::vector<Range> ranges = {{0, texts.size(), 0}};  // of the node with the same index
  nodes_.emplace_back();
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    auto [begin, end, depth] = ranges[node];
    while (begin < end && texts[begin].first.size() == depth) {
      if (depth > 0) nodes_[node].value = texts[begin].second;
      ++begin;
    }
    nodes_[node].first_child = static_cast<std::uint32_t>(nodes_.size());
    while (begin < end) {
      const char byte = texts[begin].first[depth];
      std::size_t same = begin;
      while (same < end && texts[same].first[depth] == byte) ++same;
      ++nodes_[node].children;
      nodes_.push_back({0, 0, static_cast<unsigned char>(byte), -1});
      ranges.push_back({begin, same, depth + 1});
      begin = same;
    }
  }
}

std::optional<std::size_t> PrefixTrie::child(std::size_t node, unsigned char byte) const {
  const auto begin = nodes_.begin() + nodes_[node].first_child;
  const auto end = begin + nodes_[node].children;
  const auto found =
      std::lower_bound(begin, end, byte,
                       [](const Node& child, unsigned char wanted) { return child.byte < wanted; });
  if (found == end || found->byte != byte) return std::nullopt;
  return static_cast<std::size_t>(found - nodes_.begin());
}

}  // namespace hone::data
