// How a line of text is recognised.
//
// A pattern is text that the line must hold, whatever its case; `*` stands for anything between its
// parts. What stands in front of it says how much it tells: `!` a cause by its name, nothing a
// symptom, `?` a line that many causes end in, `.` a line that is harmless.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hone::doctor {

enum class Weight { harmless, general, symptom, cause };

struct PatternMatch {
  Weight weight = Weight::symptom;
  std::size_t letters = 0;  // of the pattern, without `*`: the longer, the more it tells

  bool operator<(const PatternMatch& other) const {
    return weight != other.weight ? weight < other.weight : letters < other.letters;
  }
};

// The best match of the patterns (one per line) in a line whose letters are small already.
std::optional<PatternMatch> best_match(std::string_view patterns, std::string_view small_line);

// ASCII letters made small; other bytes stay.
std::string small_letters(std::string_view text);

}  // namespace hone::doctor
