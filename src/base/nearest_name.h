// The nearest known name to a misspelt one, for error texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone {

// The candidate with the smallest edit distance (Damerau-Levenshtein, letters compared without
// case,
// '-' equal to '_'), or an empty string when none is near: more than a third of the longer name
// would have to change.
std::string nearest_name(std::string_view wanted, const std::vector<std::string>& candidates);

// " (did you mean 'x'?)", or an empty string when nothing is near.
std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& candidates);

}  // namespace hone
