// How much memory AMD's cards have, for plans of machines that are not here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hone::planner {

// One device as programs see it: of the cards with two chips, one of them.
struct CardMemory {
  const char* name;    // as people write it: "MI300X", "RX 7900 XTX"
  const char* target;  // the compiler's name of it: "gfx942"
  int memory_gib;

  std::size_t bytes() const { return static_cast<std::size_t>(memory_gib) << 30; }
};

const std::vector<CardMemory>& cards();

// By name, in any case, with or without blanks, AMD, Instinct, Radeon, PRO and RX; nullptr when
// there is none.
const CardMemory* find_card(std::string_view name);

// The cards of a target: "gfx1100". They may differ in memory.
std::vector<const CardMemory*> cards_of(std::string_view target);

// What a run cannot have of a card: the runtime, RCCL's channels, and what allocation wastes. An
// estimate, until it is measured on cards.
inline constexpr std::size_t kReservedBytes = std::size_t{2} << 30;

}  // namespace hone::planner
