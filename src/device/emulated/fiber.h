// A function with a stack of its own, which gives up control only where it says so.
#pragma once

#include <cstddef>
#include <memory>

namespace hone::emulated {

// One thread of a GPU. All fibers of a block belong to one thread of the operating system, and
// switch between it ("home") and themselves, never to one another.
class Fiber {
 public:
  using Entry = void (*)(void* argument);

  // `colour` spreads the tops of stacks over the cache's sets.
  explicit Fiber(std::size_t colour);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // The next resume() calls entry(argument), which must not let an exception out. What an earlier
  // start left unfinished is forgotten.
  void start(Entry entry, void* argument);
  // From home: goes on until the fiber yields or its entry returns.
  void resume();
  // From inside.
  void yield();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hone::emulated
