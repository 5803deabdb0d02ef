#include "device/emulated/emulated_cards.h"

namespace hone {
namespace {

// All of them give one block 64 KiB; RDNA's 128 KiB are shared by two.
Card card(const char* target, int wave_width, int waves) {
  Card card;
  card.target = target;
  card.wave_width = wave_width;
  card.block_threads = wave_width * waves;
  return card;
}

}  // namespace

const std::vector<Card>& emulated_cards() {
  static const std::vector<Card> cards = {card("gfx90a", 64, 2), card("gfx942", 64, 2),
                                          card("gfx1100", 32, 2), card("gfx1201", 32, 2),
                                          card("gfx1030", 32, 3)};
  return cards;
}

}  // namespace hone
