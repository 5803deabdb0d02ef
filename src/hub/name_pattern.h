// Patterns of file names as data sets' cards write them: * and ? stop at slashes, ** does not, and
// "**/" also stands for nothing; [abc], [a-z] and [!a] are one character.
#pragma once

#include <string_view>

namespace hone::hub {

// Takes time in proportion to the product of both lengths at most.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace hone::hub
