// The version of hone that this is.
#pragma once

#include <string_view>

namespace hone {

// "0.1.0": the project's version in CMakeLists.txt.
std::string_view version();

}  // namespace hone
