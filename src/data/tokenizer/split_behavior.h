// The five ways in which a text is cut at the matches of a pattern (`tokenizers`,
// SplitDelimiterBehavior).
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace hone::data {

using Span = std::pair<std::size_t, std::size_t>;  // bytes [first, second)

enum class SplitBehavior {
  removed,               // matches vanish
  isolated,              // each match is a piece
  merged_with_previous,  // a match ends the piece before it; of several in a row only the first
  merged_with_next,      // a match begins the piece after it; of several in a row only the last
  contiguous,            // a run of neighbouring matches is a piece
};

// UserError for an unknown name; `where` names the place in the file.
SplitBehavior split_behavior(std::string_view name, std::string_view where);

// The pieces of a text of `size` bytes, none empty. With `invert`, what lies between the matches
// counts as match and the matches as text.
std::vector<Span> split(std::size_t size, const std::vector<Span>& matches, SplitBehavior behavior,
                        bool invert);

}  // namespace hone::data
