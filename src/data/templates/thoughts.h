// Thoughts in assistant messages: finding, removing and adding them (LLaMA-Factory's
// ReasoningTemplate).
#pragma once

#include <string>

#include "data/templates/tool_format.h"

namespace hone::data {

// Without any "open ... close", and without the line ends at the beginning that remain.
std::string without_thoughts(const std::string& content, const WordPair& words);

// Whether either word, stripped of white space, occurs.
bool mentions_thought(const std::string& content, const WordPair& words);

// The thought of someone who did not think.
std::string empty_thought(const WordPair& words);

}  // namespace hone::data
