// One thread per rank that runs collectives in the order in which they were handed over, while the
// rank computes.
//
// Every rank hands over the same work in the same order, so the calls meet. Between submit() and
// the wait() for it, nobody else may use the collectives, nor touch the memory that the work
// touches.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "parallel/collectives/transport.h"

namespace hone::parallel {

class CollectiveThread {
 public:
  using Ticket = std::int64_t;  // 0: nothing to wait for

  // The transport must outlive this object.
  explicit CollectiveThread(Transport& transport);

  // Drops what has not begun. Work in progress is ended by stopping the transport: its peers learn
  // that this rank is gone.
  ~CollectiveThread();
  CollectiveThread(const CollectiveThread&) = delete;
  CollectiveThread& operator=(const CollectiveThread&) = delete;

  Ticket submit(std::function<void()> work);

  // Returns when this work and all before it are done; throws what failed first.
  void wait(Ticket ticket);
  void wait_for_all();

  // How long the caller has waited in the two above, all together.
  double waited_seconds() const { return waited_seconds_; }

 private:
  void run();
  void wait_until(Ticket ticket, std::unique_lock<std::mutex>& lock);

  Transport& transport_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  Ticket submitted_ = 0;
  Ticket done_ = 0;
  bool busy_ = false;
  bool stopping_ = false;
  std::exception_ptr failure_;
  double waited_seconds_ = 0.0;
  std::thread thread_;
};

}  // namespace hone::parallel
