#include "data/tokenizer/split_behavior.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/error.h"

namespace hone::data {

namespace {

struct Part {
  Span span;
  bool match;
};

// The whole text as matches and what lies between them.
std::vector<Part> cover(std::size_t size, const std::vector<Span>& matches, bool invert) {
  std::vector<Part> parts;
  std::size_t done = 0;
  for (const Span& match : matches) {
    if (match.first > done) parts.push_back({{done, match.first}, invert});
    parts.push_back({match, !invert});
    done = match.second;
  }
  if (done < size) parts.push_back({{done, size}, invert});
  return parts;
}

// Joins a match to the part before it, unless that part is a match too.
std::vector<Part> merge_with_previous(const std::vector<Part>& parts) {
  std::vector<Part> merged;
  bool after_match = false;
  for (const Part& part : parts) {
    if (part.match && !after_match && !merged.empty()) {
      merged.back().span.second = part.span.second;
    } else {
      merged.push_back(part);
    }
    after_match = part.match;
  }
  return merged;
}

std::vector<Part> merge_with_next(std::vector<Part> parts) {
  std::vector<Part> merged;
  bool before_match = false;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (part->match && !before_match && !merged.empty()) {
      merged.back().span.first = part->span.first;
    } else {
      merged.push_back(*part);
    }
    before_match = part->match;
  }
  std::reverse(merged.begin(), merged.end());
  return merged;
}

std::vector<Part> merge_runs(const std::vector<Part>& parts) {
  std::vector<Part> merged;
  for (const Part& part : parts) {
    if (!merged.empty() && merged.back().match == part.match) {
      merged.back().span.second = part.span.second;
    } else {
      merged.push_back(part);
    }
  }
  return merged;
}

}  // namespace

SplitBehavior split_behavior(std::string_view name, std::string_view where) {
  if (name == "Removed") return SplitBehavior::removed;
  if (name == "Isolated") return SplitBehavior::isolated;
  if (name == "MergedWithPrevious") return SplitBehavior::merged_with_previous;
  if (name == "MergedWithNext") return SplitBehavior::merged_with_next;
  if (name == "Contiguous") return SplitBehavior::contiguous;
  throw UserError({fmt::format("{}: behavior '{}'", where, name),
                   "known are Removed, Isolated, MergedWithPrevious, MergedWithNext and Contiguous",
                   "take the tokenizer file that came with the model"});
}

std::vector<Span> split(std::size_t size, const std::vector<Span>& matches, SplitBehavior behavior,
                        bool invert) {
  std::vector<Part> parts = cover(size, matches, invert);
  switch (behavior) {
    case SplitBehavior::merged_with_previous:
      parts = merge_with_previous(parts);
      break;
    case SplitBehavior::merged_with_next:
      parts = merge_with_next(std::move(parts));
      break;
    case SplitBehavior::contiguous:
      parts = merge_runs(parts);
      break;
    case SplitBehavior::removed:
    case SplitBehavior::isolated:
      break;
  }
  std::vector<Span> pieces;
  for (const Part& part : parts) {
    const bool keep = behavior != SplitBehavior::removed || !part.match;
    if (keep && part.span.first < part.span.second) pieces.push_back(part.span);
  }
  return pieces;
}

}  // namespace hone::data
