#include "parallel/ranks/watch.h"

#include <fmt/format.h>

namespace hone::parallel {
namespace {

constexpr const char* kClosed = ": its connection closed";
constexpr const char* kSilent = ": no sign of life";

}  // namespace

bool failed_without_a_word(const std::string& failure) {
  const std::string head = failure.substr(0, failure.find('\n'));
  return head.find(kClosed) != std::string::npos || head.find(kSilent) != std::string::npos;
}

std::string connection_closed_text(const std::string& who) {
  return who + kClosed + ": it ended, or lost its network";
}

void Watch::joined(int rank, const std::string& where) {
  const std::lock_guard<std::mutex> lock(mutex_);
  members_[rank] = {where, Clock::now(), false};
}

void Watch::beat(int rank) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = members_.find(rank);
  if (found != members_.end()) found->second.last_beat = Clock::now();
}

void Watch::left(int rank) {
  const std::lock_guard<std::mutex> lock(mutex_);
  members_[rank].left = true;
  changed_.notify_all();
}

void Watch::connection_closed(int rank) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!members_[rank].left) fail(connection_closed_text(named(rank)));
}

void Watch::failed(int rank, const std::string& what) {
  const std::lock_guard<std::mutex> lock(mutex_);
  fail(named(rank) + ": " + what);
}

std::optional<std::string> Watch::failure() {
  const std::lock_guard<std::mutex> lock(mutex_);
  look_for_silence();
  return failure_;
}

std::optional<std::string> Watch::await_failure(int rank, std::chrono::milliseconds time) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, time, [&] { return failure_ || members_[rank].left; });
  look_for_silence();
  return failure_;
}

bool Watch::has_left(int rank) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return members_[rank].left;
}

std::string Watch::named(int rank) {
  const std::string& where = members_[rank].where;
  return where.empty() ? fmt::format("rank {}", rank) : fmt::format("rank {} ({})", rank, where);
}

void Watch::fail(const std::string& failure) {
  if (failure_) return;
  failure_ = failure;
  changed_.notify_all();
}

void Watch::look_for_silence() {
  const Clock::time_point now = Clock::now();
  for (const auto& [rank, member] : members_) {
    if (member.left || now - member.last_beat <= limit_) continue;
    fail(fmt::format("{}{} for {:.1f} s", named(rank), kSilent,
                     std::chrono::duration<double>(now - member.last_beat).count()));
  }
}

}  // namespace hone::parallel
