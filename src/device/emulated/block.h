// One block of a launch: its threads, and the order in which they go.
//
// A thread runs until it reaches a barrier, an exchange of its wave, or its end. Which wave goes
// next, how far it runs ahead of the others, and in what order its threads go, comes from a seed;
// so code that needs a barrier and has none gives another result. A barrier that a part of the
// block reaches, or an exchange that a part of the wave reaches, is an error that says so.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "device/emulated/fiber.h"
#include "device/interface/card.h"

namespace hone::emulated {

class Thread;

// What the threads of one launch share.
struct Traffic {
  std::int64_t loaded_bytes = 0;
  std::int64_t stored_bytes = 0;
};

struct LaunchFacts {
  std::string kernel;
  const Card* card = nullptr;
  std::int64_t blocks = 0;
  int threads = 0;
  int wave_width = 0;
  Traffic traffic;
};

// Numbers that follow from a seed; nothing depends on their quality.
class Shuffle {
 public:
  explicit Shuffle(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t bound);
  template <class T>
  void permute(T* first, std::int64_t count) {
    for (std::int64_t i = count - 1; i > 0; --i) {
      std::swap(first[i], first[below(static_cast<std::uint64_t>(i) + 1)]);
    }
  }

 private:
  std::uint64_t state_;
};

enum class Wait : std::uint8_t { ready, barrier, exchange, done };

class Block {
 public:
  using Body = void (*)(const void* kernel, const Thread& thread, void* shared);

  // Blocks of this many threads, for one launch after another.
  explicit Block(int threads);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  // What is launched now; whole waves of as many threads as were said.
  void begin(LaunchFacts facts) { facts_ = std::move(facts); }
  // Runs block `index` from start to end; in order of index when `seed` is 0. Throws what its
  // first failing thread threw, or InternalError where threads wait for one another for ever.
  void run(std::int64_t index, std::uint64_t seed, Body body, const void* kernel, void* shared);

  // For the threads.
  LaunchFacts& facts() { return facts_; }
  std::int64_t index() const { return index_; }
  void wait(int thread, Wait reason);
  // Room for what each thread hands to its wave's matrix unit, twice as well.
  std::uint16_t* matrix_words(int set, int thread) {
    return &matrix_words_[static_cast<std::size_t>((set * facts_.threads + thread) * kMatrixWords)];
  }
  static constexpr int kMatrixWords = 32;

  // The words that the threads of a block exchange: two sets, so that one that runs ahead cannot
  // write over what another has yet to read.
  std::uint64_t& word(int set, int thread) {
    return words_[static_cast<std::size_t>(set * facts_.threads + thread)];
  }

 private:
  struct Lane;
  static void lane_main(void* lane);
  bool advance(int wave, Shuffle* shuffle);
  void run_waves(Shuffle* shuffle);
  bool pass_barrier();
  [[noreturn]] void fail(const std::string& what) const;

  LaunchFacts facts_;
  std::int64_t index_ = 0;
  Body body_ = nullptr;
  const void* kernel_ = nullptr;
  void* shared_ = nullptr;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<int> order_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint16_t> matrix_words_;
  std::exception_ptr failure_;
};

}  // namespace hone::emulated
