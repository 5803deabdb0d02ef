#include "parallel/sharding/collective_thread.h"

#include <chrono>
#include <utility>

namespace hone::parallel {

CollectiveThread::CollectiveThread(Transport& transport)
    : transport_(transport), thread_([this] { run(); }) {}

CollectiveThread::~CollectiveThread() {
  bool interrupted = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    queue_.clear();
    interrupted = busy_;
    changed_.notify_all();
  }
  if (interrupted) transport_.stop("the rank ended while a collective was under way");
  thread_.join();
}

CollectiveThread::Ticket CollectiveThread::submit(std::function<void()> work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  queue_.push_back(std::move(work));
  changed_.notify_all();
  return ++submitted_;
}

void CollectiveThread::wait(Ticket ticket) {
  std::unique_lock<std::mutex> lock(mutex_);
  wait_until(ticket, lock);
}

void CollectiveThread::wait_for_all() {
  std::unique_lock<std::mutex> lock(mutex_);
  wait_until(submitted_, lock);
}

void CollectiveThread::wait_until(Ticket ticket, std::unique_lock<std::mutex>& lock) {
  const auto start = std::chrono::steady_clock::now();
  changed_.wait(lock, [&] { return done_ >= ticket || failure_; });
  waited_seconds_ +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (failure_) std::rethrow_exception(failure_);
}

void CollectiveThread::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    const std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    lock.unlock();
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    busy_ = false;
    if (failure) {
      failure_ = failure;
      queue_.clear();
    } else {
      ++done_;
    }
    changed_.notify_all();
    if (failure) return;
  }
}

}  // namespace hone::parallel
