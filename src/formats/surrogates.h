// Escapes of half a character in JSON text.
#pragma once

#include <cstdint>
#include <string>

namespace hone::formats {

// Turns every lone surrogate escape (\ud83d without its second half, \ude00 without its first) into
// the escape \ufffd, in place, and gives their number. The text keeps its length. JSON escapes
// occur in strings only, so text outside of them is not touched.
std::int64_t replace_lone_surrogates(std::string& json_text);

}  // namespace hone::formats
