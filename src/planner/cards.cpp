#include "planner/cards.h"

#include <algorithm>
#include <cctype>

namespace hone::planner {
namespace {

// "AMD Radeon PRO W7900" and "w7900" are one name.
std::string plain(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) continue;
    letters += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  for (const std::string_view word : {"AMD", "INSTINCT", "RADEON", "AI", "PRO", "RX"}) {
    if (letters.size() > word.size() && letters.rfind(word, 0) == 0) letters.erase(0, word.size());
  }
  return letters;
}

}  // namespace

// VRAM as AMD's table of GPU specifications has it, in GiB (rocm.docs.amd.com, reference,
// gpu-specs); MI250 and MI250X are two devices of half of it each, which is how ROCm shows them.
const std::vector<CardMemory>& cards() {
  static const std::vector<CardMemory> table = {
      {"MI355X", "gfx950", 288},     {"MI350X", "gfx950", 288},
      {"MI325X", "gfx942", 256},     {"MI300X", "gfx942", 192},
      {"MI300A", "gfx942", 128},     {"MI250X", "gfx90a", 64},
      {"MI250", "gfx90a", 64},       {"MI210", "gfx90a", 64},
      {"MI100", "gfx908", 32},       {"MI60", "gfx906", 32},
      {"MI50", "gfx906", 16},        {"AI PRO R9700", "gfx1201", 32},
      {"RX 9070 XT", "gfx1201", 16}, {"RX 9070", "gfx1201", 16},
      {"RX 9060 XT", "gfx1200", 16}, {"PRO W7900", "gfx1100", 48},
      {"PRO W7800", "gfx1100", 32},  {"RX 7900 XTX", "gfx1100", 24},
      {"RX 7900 XT", "gfx1100", 20}, {"RX 7900 GRE", "gfx1100", 16},
      {"PRO W7700", "gfx1101", 16},  {"RX 7800 XT", "gfx1101", 16},
      {"RX 7700 XT", "gfx1101", 12}, {"RX 7600", "gfx1102", 8},
      {"PRO W6800", "gfx1030", 32},  {"PRO V620", "gfx1030", 32},
      {"RX 6950 XT", "gfx1030", 16}, {"RX 6900 XT", "gfx1030", 16},
      {"RX 6800 XT", "gfx1030", 16}, {"RX 6800", "gfx1030", 16},
  };
  return table;
}

const CardMemory* find_card(std::string_view name) {
  const std::string wanted = plain(name);
  const auto found = std::find_if(cards().begin(), cards().end(), [&](const CardMemory& card) {
    return plain(card.name) == wanted;
  });
  return found == cards().end() ? nullptr : &*found;
}

std::vector<const CardMemory*> cards_of(std::string_view target) {
  std::vector<const CardMemory*> of_target;
  for (const CardMemory& card : cards()) {
    if (target == card.target) of_target.push_back(&card);
  }
  return of_target;
}

}  // namespace hone::planner
