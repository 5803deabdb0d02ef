// What stands in the place of a weights file when a download went wrong, by its first bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hone::formats {

struct ForeignContent {
  std::string what;    // "a git-lfs pointer"
  std::string remedy;  // what to do about it
};

// Looks at the first bytes (256 are enough). Nothing when they are of no kind known here.
std::optional<ForeignContent> foreign_content(std::string_view start);

}  // namespace hone::formats
