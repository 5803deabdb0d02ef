// Who of a run is alive, and what failed first: the heart of the service on rank 0 (service.h).
//
// A rank is watched from its joined() on. It dies when its control connection closes, or when it
// gives no sign of life for the limit; a rank that has said leave() is no longer watched.
// The first failure is kept, whoever reports it: what the user is to see last. From any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace hone::parallel {

// "rank 2 (host b, pid 4711): its connection closed: ...", of a rank so named.
std::string connection_closed_text(const std::string& who);

// Whether a failure is of a rank that could not say anything itself.
bool failed_without_a_word(const std::string& failure);

class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Watch(std::chrono::milliseconds heartbeat_limit) : limit_(heartbeat_limit) {}

  // `where` names the rank's place: "host b, pid 4711".
  void joined(int rank, const std::string& where);
  void beat(int rank);
  void left(int rank);
  void connection_closed(int rank);
  void failed(int rank, const std::string& what);

  // Looks for ranks that are silent, then returns the first failure, if there is one: "rank 2
  // (host b, pid 4711): no sign of life for 30.0 s".
  std::optional<std::string> failure();

  // The same, waiting up to `time` for one; ends early, with nothing, when the rank has left.
  std::optional<std::string> await_failure(int rank, std::chrono::milliseconds time);

  bool has_left(int rank);

 private:
  struct Member {
    std::string where;
    Clock::time_point last_beat;
    bool left = false;
  };
  // "rank 2 (host b, pid 4711)"
  std::string named(int rank);
  void fail(const std::string& failure);
  void look_for_silence();

  std::chrono::milliseconds limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int, Member> members_;
  std::optional<std::string> failure_;
};

}  // namespace hone::parallel
