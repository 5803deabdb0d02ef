#include "device/emulated/block.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "device/emulated/thread.h"

namespace hone::emulated {

std::uint64_t Shuffle::below(std::uint64_t bound) {
  // splitmix64 (Steele, Lea, Flood, 2014).
  state_ += 0x9E3779B97F4A7C15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (z ^ (z >> 31)) % bound;
}

struct Block::Lane {
  Lane(Block& owner, int place)
      : block(owner), index(place), fiber(static_cast<std::size_t>(place)) {}

  Block& block;
  int index;
  Fiber fiber;
  Wait state = Wait::done;
};

Block::Block(int threads) {
  for (int i = 0; i < threads; ++i) lanes_.push_back(std::make_unique<Lane>(*this, i));
  order_.resize(lanes_.size());
  words_.resize(2 * lanes_.size());
  matrix_words_.resize(2 * kMatrixWords * lanes_.size());
}

Block::~Block() = default;

void Block::lane_main(void* argument) {
  Lane& lane = *static_cast<Lane*>(argument);
  Block& block = lane.block;
  try {
    block.body_(block.kernel_, Thread(block, lane.index), block.shared_);
  } catch (...) {
    if (!block.failure_) block.failure_ = std::current_exception();
  }
  lane.state = Wait::done;
}

void Block::wait(int thread, Wait reason) {
  Lane& lane = *lanes_[static_cast<std::size_t>(thread)];
  lane.state = reason;
  lane.fiber.yield();
}

// Lets the ready threads of a wave go on until each waits. True when they only waited for one
// another, so that the wave can go on.
bool Block::advance(int wave, Shuffle* shuffle) {
  const int first = wave * facts_.wave_width;
  int* order = order_.data() + first;
  if (shuffle != nullptr) shuffle->permute(order, facts_.wave_width);
  int exchanging = 0;
  for (int i = 0; i < facts_.wave_width; ++i) {
    Lane& lane = *lanes_[static_cast<std::size_t>(order[i])];
    if (lane.state == Wait::ready) lane.fiber.resume();
    if (failure_) std::rethrow_exception(failure_);
    exchanging += lane.state == Wait::exchange;
  }
  if (exchanging == 0) return false;
  if (exchanging != facts_.wave_width) fail("an exchange was reached by a part of the wave");
  for (int i = first; i < first + facts_.wave_width; ++i) {
    lanes_[static_cast<std::size_t>(i)]->state = Wait::ready;
  }
  return true;
}

// All waves, each to the next barrier or its end.
void Block::run_waves(Shuffle* shuffle) {
  std::vector<int> open(static_cast<std::size_t>(facts_.threads / facts_.wave_width));
  std::iota(open.begin(), open.end(), 0);
  // How many steps a wave runs ahead of the others, about; other each time.
  const std::uint64_t stretch = shuffle == nullptr ? 1 : 1 + shuffle->below(16);
  while (!open.empty()) {
    const std::size_t chosen = shuffle == nullptr ? 0 : shuffle->below(open.size());
    bool more = true;
    do {
      more = advance(open[chosen], shuffle);
    } while (more && (shuffle == nullptr || shuffle->below(stretch) != 0));
    if (!more) open.erase(open.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
}

// False when the block has ended.
bool Block::pass_barrier() {
  const auto waiting = std::count_if(lanes_.begin(), lanes_.end(),
                                     [](const auto& lane) { return lane->state == Wait::barrier; });
  if (waiting == 0) return false;
  if (waiting != facts_.threads) fail("a barrier was reached by a part of the block");
  for (const auto& lane : lanes_) lane->state = Wait::ready;
  return true;
}

void Block::run(std::int64_t index, std::uint64_t seed, Body body, const void* kernel,
                void* shared) {
  index_ = index;
  body_ = body;
  kernel_ = kernel;
  shared_ = shared;
  failure_ = nullptr;
  std::iota(order_.begin(), order_.end(), 0);
  for (const auto& lane : lanes_) {
    lane->state = Wait::ready;
    lane->fiber.start(&lane_main, lane.get());
  }
  std::optional<Shuffle> shuffle;
  if (seed != 0) shuffle.emplace(seed * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(index));
  do {
    run_waves(shuffle ? &*shuffle : nullptr);
  } while (pass_barrier());
}

void Block::fail(const std::string& what) const {
  throw InternalError(facts_.kernel + " on " + facts_.card->target + ": " + what + ", in block " +
                      std::to_string(index_));
}

void Thread::refuse(const char* what, const Bounds& bounds, std::int64_t row,
                    std::int64_t column) const {
  const LaunchFacts& facts = block_.facts();
  throw InternalError(facts.kernel + " on " + facts.card->target + ": thread " +
                      std::to_string(index_) + " of block " + std::to_string(block_.index()) + " " +
                      what + " " + bounds.name + "[" + std::to_string(row) + ", " +
                      std::to_string(column) + "] of [" + std::to_string(bounds.rows) + ", " +
                      std::to_string(bounds.columns) + "]");
}

void Thread::refuse_exchange(int wave, int mask) const {
  const LaunchFacts& facts = block_.facts();
  throw InternalError(facts.kernel + " on " + facts.card->target + ": an exchange over " +
                      std::to_string(mask) + " in waves of " + std::to_string(wave) +
                      ", the card's have " + std::to_string(facts.wave_width));
}

void check_shared(std::int64_t index, std::int64_t count) {
  if (index >= 0 && index < count) return;
  throw InternalError("local data share: element " + std::to_string(index) + " of an array of " +
                      std::to_string(count));
}

}  // namespace hone::emulated
