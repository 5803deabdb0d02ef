#include "doctor/patterns.h"

#include <algorithm>

namespace hone::doctor {
namespace {

Weight take_weight(std::string_view& pattern) {
  Weight weight = Weight::symptom;
  if (pattern.front() == '!') weight = Weight::cause;
  if (pattern.front() == '?') weight = Weight::general;
  if (pattern.front() == '.') weight = Weight::harmless;
  if (weight != Weight::symptom) pattern.remove_prefix(1);
  return weight;
}

// How many letters of the pattern are in the line, all of them in order; 0: not all are.
std::size_t matched_letters(std::string_view pattern, std::string_view line) {
  std::size_t letters = 0;
  std::size_t at = 0;
  while (!pattern.empty()) {
    const std::size_t star = std::min(pattern.find('*'), pattern.size());
    const std::string_view part = pattern.substr(0, star);
    at = line.find(part, at);
    if (at == std::string_view::npos) return 0;
    at += part.size();
    letters += part.size();
    pattern.remove_prefix(std::min(star + 1, pattern.size()));
  }
  return letters;
}

}  // namespace

std::string small_letters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return small;
}

std::optional<PatternMatch> best_match(std::string_view patterns, std::string_view small_line) {
  std::optional<PatternMatch> best;
  while (!patterns.empty()) {
    const std::size_t end = std::min(patterns.find('\n'), patterns.size());
    std::string_view pattern = patterns.substr(0, end);
    patterns.remove_prefix(std::min(end + 1, patterns.size()));
    if (pattern.empty()) continue;
    PatternMatch match;
    match.weight = take_weight(pattern);
    match.letters = matched_letters(pattern, small_line);
    if (match.letters > 0 && (!best || *best < match)) best = match;
  }
  return best;
}

}  // namespace hone::doctor
