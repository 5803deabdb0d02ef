// The dealer: how the records of one step are dealt to ranks and micro-steps.
//
// Pure: every rank evaluates it alike, from the lengths of all records of the step, so nothing has
// to be agreed on. An item is what must stay together: a record, or a pair whose lengths are added.
//
// Promises: every item is dealt exactly once and never split; all ranks make the same number of
// micro-steps (some may be empty); no micro-step holds more than `micro_step_tokens`, unless it is
// one single item that is longer; the number of micro-steps is the smallest that the two heuristics
// below find; token counts are balanced. With one rank and room for everything there is one
// micro-step that holds the items in their order.
//
// Algorithm. Items are taken by falling length (ties: rising index). First-fit-decreasing says how
// many bins are enough, rounded up to whole micro-steps. For each smaller number of micro-steps
// from the lower bound ceil(tokens / capacity) on, and then for that one, items are put one after
// another into the emptiest bin (lowest index first), which balances; the first number for which
// nothing overflows is taken, else first-fit's bins. Bins are then sorted by falling load; each
// micro-step takes the next `ranks` of them, handed out in rising rank order and falling rank order
// by turns, so that ranks that wait for each other have similar work and similar totals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hone::data {

// Indices into the step's items, ascending.
using MicroStep = std::vector<std::int32_t>;

struct Deal {
  // [rank][micro-step]; every rank has the same number of micro-steps.
  std::vector<std::vector<MicroStep>> ranks;
  std::int64_t micro_steps() const {
    return ranks.empty() ? 0 : static_cast<std::int64_t>(ranks.front().size());
  }
};

// lengths in tokens, >= 0; ranks >= 1; micro_step_tokens >= 1. No items: no micro-steps.
Deal cut(std::span<const std::int64_t> lengths, int ranks, std::int64_t micro_step_tokens);

}  // namespace hone::data
