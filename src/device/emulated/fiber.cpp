#include "device/emulated/fiber.h"

#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#define HONE_FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HONE_FIBER_ASAN 1
#endif
#endif
#if defined(HONE_FIBER_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(__x86_64__)
// Saves what the calling convention says a callee keeps, changes stacks, goes on there. A jump
// instead of a return: the processor's prediction of returns would be wrong every time.
extern "C" void hone_fiber_switch(void** from, void* to);
asm(R"(
.pushsection .text
.type hone_fiber_switch,@function
.globl hone_fiber_switch
.hidden hone_fiber_switch
hone_fiber_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size hone_fiber_switch,.-hone_fiber_switch
.popsection
)");
#else
#include <ucontext.h>
#endif

namespace hone::emulated {
namespace {

constexpr std::size_t kStackBytes = 64 * 1024;
constexpr std::size_t kColours = 61;
constexpr std::size_t kColourBytes = 320;

#if defined(__x86_64__)
using Place = void*;
void change(Place& from, Place& to) {
  hone_fiber_switch(&from, to);
}
#else
using Place = ucontext_t;
void change(Place& from, Place& to) {
  swapcontext(&from, &to);
}
#endif

}  // namespace

struct Fiber::State {
  std::unique_ptr<char[]> stack{new char[kStackBytes]};
  std::size_t usable = kStackBytes;
  Place here{}, home{};
  Entry entry = nullptr;
  void* argument = nullptr;
  // The address sanitizer's notes on the stack that was left.
  void* fake_here = nullptr;
  void* fake_home = nullptr;
  const void* home_stack = nullptr;
  std::size_t home_bytes = 0;

  void enter();
  void leave(bool for_good);
  void main();
  static void begin();
  static thread_local State* starting;
};

thread_local Fiber::State* Fiber::State::starting = nullptr;

void Fiber::State::enter() {
  starting = this;
#if defined(HONE_FIBER_ASAN)
  __sanitizer_start_switch_fiber(&fake_home, stack.get(), kStackBytes);
#endif
  change(home, here);
#if defined(HONE_FIBER_ASAN)
  __sanitizer_finish_switch_fiber(fake_home, nullptr, nullptr);
#endif
}

void Fiber::State::leave([[maybe_unused]] bool for_good) {
#if defined(HONE_FIBER_ASAN)
  __sanitizer_start_switch_fiber(for_good ? nullptr : &fake_here, home_stack, home_bytes);
#endif
  change(here, home);
#if defined(HONE_FIBER_ASAN)
  __sanitizer_finish_switch_fiber(fake_here, &home_stack, &home_bytes);
#endif
}

void Fiber::State::main() {
#if defined(HONE_FIBER_ASAN)
  __sanitizer_finish_switch_fiber(nullptr, &home_stack, &home_bytes);
#endif
  entry(argument);
  leave(true);
}

void Fiber::State::begin() {
  starting->main();
}

Fiber::Fiber(std::size_t colour) : state_(std::make_unique<State>()) {
  state_->usable = kStackBytes - colour % kColours * kColourBytes;
}

Fiber::~Fiber() = default;

void Fiber::start(Entry entry, void* argument) {
  State& s = *state_;
  s.entry = entry;
  s.argument = argument;
  s.fake_here = nullptr;
#if defined(HONE_FIBER_ASAN)
  __asan_unpoison_memory_region(s.stack.get(), kStackBytes);  // of a fiber left in the middle
#endif
#if defined(__x86_64__)
  const auto end = reinterpret_cast<std::uintptr_t>(s.stack.get()) + s.usable;
  auto** top = reinterpret_cast<void**>(end & ~std::uintptr_t{15});
  *--top = nullptr;  // the entry finds the stack as after a call
  *--top = reinterpret_cast<void*>(&State::begin);
  for (int saved = 0; saved < 6; ++saved) *--top = nullptr;
  s.here = top;
#else
  getcontext(&s.here);
  s.here.uc_stack.ss_sp = s.stack.get();
  s.here.uc_stack.ss_size = s.usable;
  s.here.uc_link = nullptr;
  makecontext(&s.here, &State::begin, 0);
#endif
}

void Fiber::resume() {
  state_->enter();
}

void Fiber::yield() {
  state_->leave(false);
}

}  // namespace hone::emulated
