#include "data/batches/dealer.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>

#include "base/error.h"

namespace hone::data {
namespace {

struct Bin {
  std::int64_t tokens = 0;
  MicroStep items;
};

std::vector<std::int32_t> by_falling_length(std::span<const std::int64_t> lengths) {
  std::vector<std::int32_t> order(lengths.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return lengths[static_cast<std::size_t>(a)] > lengths[static_cast<std::size_t>(b)];
  });
  return order;
}

// Each item goes into the first bin with room. A max-segment tree over the free room finds it in
// logarithmic time: a step may hold very many short records.
std::vector<Bin> first_fit(std::span<const std::int64_t> lengths,
                           const std::vector<std::int32_t>& order, std::int64_t capacity) {
  std::size_t leaves = 1;
  while (leaves < order.size()) leaves *= 2;
  std::vector<std::int64_t> room(2 * leaves, capacity);  // node i covers nodes 2i and 2i + 1
  std::vector<Bin> bins;
  for (const std::int32_t item : order) {
    const std::int64_t length = lengths[static_cast<std::size_t>(item)];
    std::size_t leaf = leaves + bins.size();
    if (length <= capacity) {
      std::size_t node = 1;
      while (node < leaves) node = room[2 * node] >= length ? 2 * node : 2 * node + 1;
      leaf = node;
    }
    const std::size_t index = leaf - leaves;
    if (index >= bins.size()) bins.resize(index + 1);
    bins[index].tokens += length;
    bins[index].items.push_back(item);
    // An item that is longer than the capacity closes its bin: room below zero.
    room[leaf] = length > capacity ? -1 : room[leaf] - length;
    for (std::size_t node = leaf / 2; node >= 1; node /= 2) {
      room[node] = std::max(room[2 * node], room[2 * node + 1]);
    }
  }
  return bins;
}

// Each item goes into the emptiest of `count` bins; nothing when one does not fit. All bins have
// the same capacity, so what does not fit into the emptiest fits nowhere.
std::optional<std::vector<Bin>> emptiest_first(std::span<const std::int64_t> lengths,
                                               const std::vector<std::int32_t>& order,
                                               std::int64_t capacity, std::size_t count) {
  using Load = std::pair<std::int64_t, std::size_t>;  // tokens, bin
  std::priority_queue<Load, std::vector<Load>, std::greater<>> open;
  for (std::size_t bin = 0; bin < count; ++bin) open.push({0, bin});
  std::vector<Bin> bins(count);
  for (const std::int32_t item : order) {
    const std::int64_t length = lengths[static_cast<std::size_t>(item)];
    if (open.empty()) return std::nullopt;
    const auto [tokens, bin] = open.top();
    if (tokens > 0 && tokens + length > capacity) return std::nullopt;
    open.pop();
    bins[bin].tokens = tokens + length;
    bins[bin].items.push_back(item);
    if (length <= capacity) open.push({bins[bin].tokens, bin});
  }
  return bins;
}

std::vector<Bin> choose_bins(std::span<const std::int64_t> lengths, std::size_t ranks,
                             std::int64_t capacity) {
  const std::int64_t tokens = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  capacity = std::min(capacity, std::max<std::int64_t>(tokens, 1));  // "no limit" may be huge
  const std::vector<std::int32_t> order = by_falling_length(lengths);
  std::vector<Bin> fitted = first_fit(lengths, order, capacity);
  const std::size_t enough = (fitted.size() + ranks - 1) / ranks;
  const std::int64_t room_per_micro_step = capacity * static_cast<std::int64_t>(ranks);
  std::size_t micro_steps = 1;
  // Oversized items break the bound (they take one bin whatever their length), hence the min.
  if (tokens > room_per_micro_step) {
    const std::int64_t bound = (tokens + room_per_micro_step - 1) / room_per_micro_step;
    micro_steps = std::min(enough, static_cast<std::size_t>(bound));
  }
  for (; micro_steps <= enough; ++micro_steps) {
    auto balanced = emptiest_first(lengths, order, capacity, micro_steps * ranks);
    if (balanced) return *std::move(balanced);
  }
  fitted.resize(enough * ranks);
  return fitted;
}

}  // namespace

Deal cut(std::span<const std::int64_t> lengths, int ranks, std::int64_t micro_step_tokens) {
  HONE_ASSERT(ranks >= 1 && micro_step_tokens >= 1, ranks, micro_step_tokens);
  Deal deal;
  const auto rank_count = static_cast<std::size_t>(ranks);
  deal.ranks.resize(rank_count);
  if (lengths.empty()) return deal;

  std::vector<Bin> bins = choose_bins(lengths, rank_count, micro_step_tokens);
  for (Bin& bin : bins) std::sort(bin.items.begin(), bin.items.end());
  std::stable_sort(bins.begin(), bins.end(),
                   [](const Bin& a, const Bin& b) { return a.tokens > b.tokens; });
  for (std::size_t index = 0; index < bins.size(); ++index) {
    const std::size_t place = index % rank_count;
    const bool rising = (index / rank_count) % 2 == 0;
    const std::size_t rank = rising ? place : rank_count - 1 - place;
    deal.ranks[rank].push_back(std::move(bins[index].items));
  }
  return deal;
}

}  // namespace hone::data
