// Any bytes as the letters 0-9 and a-f: how the link and the service write texts into a query.
#pragma once

#include <string>

namespace hone::parallel {

std::string to_hex(const std::string& bytes);

// The inverse; empty when `hex` is none.
std::string from_hex(const std::string& hex);

}  // namespace hone::parallel
