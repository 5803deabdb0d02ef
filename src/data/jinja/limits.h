// Templates come with models that others made: what one may cost is bounded,
// and what cannot be done is said with the line of the template.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace hone::data::jinja {

struct Limits {
  std::size_t template_bytes = std::size_t{1} << 20;
  std::int64_t steps = 5'000'000;                     // statements and expressions done
  std::int64_t made_bytes = std::int64_t{256} << 20;  // texts, lists and dictionaries
};

inline constexpr int kDeepest = 100;      // expressions and statements in each other
inline constexpr int kTallest = 200;      // parts of one expression, as in a + b + c + ...
inline constexpr int kDeepestWork = 600;  // all of that together, while running
inline constexpr int kDeepestCalls = 30;  // macros calling macros
inline constexpr int kDeepestData = 100;  // lists and dictionaries in each other
inline constexpr std::int64_t kLongestRange = 100'000;  // as in Jinja's sandbox

// A UserError: what the chat template has at that line, and what to do about
// it.
[[noreturn]] void refuse(int line, const std::string& found);

}  // namespace hone::data::jinja
