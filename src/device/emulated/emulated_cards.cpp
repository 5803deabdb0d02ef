#include "device/emulated/emulated_cards.h"

namespace hone {
namespace {

// All of them give one block 64 KiB; RDNA's 128 KiB are shared by two.
Card card(const char* target, int wave_width, int waves, MatrixUnit matrix_unit) {
  Card card;
  card.target = target;
  card.wave_width = wave_width;
  card.block_threads = wave_width * waves;
  card.matrix_unit = matrix_unit;
  return card;
}

std::vector<Card> make_cards() {
  std::vector<Card> cards = {
      card("gfx90a", 64, 2, MatrixUnit::mfma), card("gfx942", 64, 2, MatrixUnit::mfma),
      card("gfx1100", 32, 2, MatrixUnit::wmma11), card("gfx1201", 32, 2, MatrixUnit::wmma12),
      card("gfx1030", 32, 3, MatrixUnit::none)};
  cards.front().matrix_unit_flushes = true;
  return cards;
}

}  // namespace

const std::vector<Card>& emulated_cards() {
  static const std::vector<Card> cards = make_cards();
  return cards;
}

}  // namespace hone
