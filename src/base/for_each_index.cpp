#include "base/for_each_index.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.h"

namespace hone {
namespace {

// Indices are handed out in rising order, so when `index` throws, every lower one has been started
// and will finish: the lowest exception is found whatever the timing.
class FanOut {
 public:
  FanOut(std::int64_t count, const std::function<void(std::int64_t)>& work)
      : count_(count), work_(work) {}

  void run() {
    while (!failed_.load()) {
      const std::int64_t index = next_.fetch_add(1);
      if (index >= count_) return;
      try {
        work_(index);
      } catch (...) {
        keep(index, std::current_exception());
      }
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void keep(std::int64_t index, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_ || index < error_index_) {
      error_ = std::move(error);
      error_index_ = index;
    }
    failed_.store(true);
  }

  const std::int64_t count_;
  const std::function<void(std::int64_t)>& work_;
  std::atomic<std::int64_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
  std::int64_t error_index_ = 0;
};

}  // namespace

void for_each_index(std::int64_t count, int threads,
                    const std::function<void(std::int64_t)>& work) {
  HONE_ASSERT(threads >= 1, threads);
  FanOut fan_out(count, work);
  std::vector<std::thread> others;
  try {
    for (int i = 1; i < threads && i < count; ++i) others.emplace_back([&] { fan_out.run(); });
  } catch (const std::system_error&) {
    // The system gives no more threads: those that there are do all of the work.
  }
  fan_out.run();
  for (std::thread& other : others) other.join();
  fan_out.rethrow();
}

}  // namespace hone
