// Damaged inputs for the trials of this folder, the same ones in every run: what the fast tests do
// in the place of a fuzzer.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace hone::fuzz {

using Random = std::mt19937;

inline std::size_t below(Random& random, std::size_t limit) {
  return limit == 0 ? 0 : random() % limit;
}

// One change: a byte, a run of them, a number at its extremes, or a cut.
inline void mutate(Random& random, std::string& text, const std::vector<std::string>& pieces) {
  const std::size_t at = below(random, text.size() + 1);
  const std::size_t length = below(random, 16);
  switch (below(random, 7)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(random, 8)));
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(random());
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(at, text.substr(below(random, text.size()), length));
      break;
    case 4:
      text.insert(at, pieces[below(random, pieces.size())]);
      break;
    case 5: {
      const std::string& piece = pieces[below(random, pieces.size())];
      text.replace(at, std::min(piece.size(), text.size() - at), piece);
      break;
    }
    default:
      if (below(random, 8) == 0) text.resize(at);
      break;
  }
}

struct Counts {
  int accepted = 0;
  int refused = 0;
};

template <class Trial>
Counts run(const Trial& trial, const std::vector<std::string>& seeds,
           const std::vector<std::string>& pieces, int trials) {
  Random random(20240607);
  Counts counts;
  for (int index = 0; index < trials; ++index) {
    std::string text = seeds[below(random, seeds.size())];
    const std::size_t changes = 1 + below(random, 4);
    for (std::size_t change = 0; change < changes; ++change) mutate(random, text, pieces);
    trial(text) ? ++counts.accepted : ++counts.refused;
  }
  return counts;
}

// Both outcomes must be frequent, or the mutations are too weak or too strong to find anything.
inline void expect_both(const Counts& counts) {
  EXPECT_GT(counts.accepted, 50);
  EXPECT_GT(counts.refused, 50);
}

}  // namespace hone::fuzz
