#include "parallel/ranks/run_link.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "base/error.h"
#include "parallel/ranks/hex_text.h"
#include "parallel/ranks/memory_store.h"
#include "parallel/ranks/watch.h"

namespace hone::parallel {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A request for a key is renewed after this time, to see in between whether a rank has died.
constexpr milliseconds kKeySlice{200};
constexpr milliseconds kPauseBetweenAttempts{50};
// What a short request may take beyond what it waits for.
constexpr milliseconds kRoundTrip{5000};

}  // namespace

struct RunLink::Parts {
  Parts(const LinkOptions& chosen, std::function<void(const std::string&)> callback)
      : options(chosen), on_death(std::move(callback)) {}

  httplib::Client client(int to, milliseconds read_limit) const;
  void find_service();
  void hold_control();
  void await_control();
  void beat();
  void died(const std::string& what);
  std::optional<std::string> death();
  std::string rank_query() const { return "?rank=" + std::to_string(options.rank); }

  LinkOptions options;
  std::function<void(const std::string&)> on_death;
  int port = 0;
  std::mutex mutex;
  std::condition_variable changed;
  bool held = false;  // the service knows this rank
  bool leaving = false;
  std::optional<std::string> news;
  std::unique_ptr<httplib::Client> control;
  std::thread control_thread;
  std::thread beat_thread;
};

httplib::Client RunLink::Parts::client(int to, milliseconds read_limit) const {
  httplib::Client made(options.address, to);
  made.set_connection_timeout(std::min(options.connect_limit, kRoundTrip));
  made.set_read_timeout(read_limit);
  made.set_tcp_nodelay(true);
  return made;
}

void RunLink::Parts::find_service() {
  const Clock::time_point end = Clock::now() + options.connect_limit;
  std::string answered;
  do {
    answered.clear();
    for (int candidate = options.first_port; candidate < options.first_port + options.ports;
         ++candidate) {
      httplib::Client asking = client(candidate, std::min(options.connect_limit, kRoundTrip));
      const auto result = asking.Get("/hello?run=" + to_hex(options.run_id));
      if (!result) continue;
      if (result->status == 200) {
        port = candidate;
        return;
      }
      answered += fmt::format("; port {} belongs to run '{}'", candidate,
                              result->status == 409 ? result->body : "of another program");
    }
    std::this_thread::sleep_for(kPauseBetweenAttempts);
  } while (Clock::now() < end);
  throw UserError(
      {fmt::format("rank {} looks for run '{}' at {}, ports {} to {}", options.rank, options.run_id,
                   options.address, options.first_port, options.first_port + options.ports - 1),
       fmt::format("no answer within {:.1f} s{}",
                   std::chrono::duration<double>(options.connect_limit).count(), answered),
       "see that rank 0 was started, that MASTER_ADDR and MASTER_PORT are the same on all ranks, "
       "and that no firewall stands between them"});
}

// Until the service ends the connection.
void RunLink::Parts::hold_control() {
  std::string text;
  const std::string path = "/control" + rank_query() + "&where=" + to_hex(options.where);
  control->Get(path, [&](const char* data, std::size_t size) {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      held = true;
      changed.notify_all();
    }
    text.append(data, size);
    text.erase(0, std::min(text.find_first_not_of('.'), text.size()));
    return true;
  });
  const std::size_t first = text.find_first_not_of('\n');
  if (first != std::string::npos) {
    died(text.substr(first, text.find_last_not_of('\n') + 1 - first));
  } else {
    died(connection_closed_text("rank 0 (" + options.address + ")"));
  }
}

// What this rank tells the service must not arrive before the rank itself.
void RunLink::Parts::await_control() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait_for(lock, options.connect_limit + kRoundTrip, [&] { return held || news; });
}

void RunLink::Parts::beat() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!changed.wait_for(lock, options.beat, [&] { return leaving || news; })) {
    lock.unlock();
    client(port, kRoundTrip).Post("/beat" + rank_query());
    lock.lock();
  }
}

void RunLink::Parts::died(const std::string& what) {
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (leaving || news) return;
    news = what;
    changed.notify_all();
  }
  on_death(what);
}

std::optional<std::string> RunLink::Parts::death() {
  const std::lock_guard<std::mutex> lock(mutex);
  return news;
}

RunLink::RunLink(const LinkOptions& options, std::function<void(const std::string&)> on_death)
    : parts_(std::make_unique<Parts>(options, std::move(on_death))) {
  parts_->find_service();
  parts_->control =
      std::make_unique<httplib::Client>(parts_->client(parts_->port, options.heartbeat_limit));
  parts_->control_thread = std::thread([this] { parts_->hold_control(); });
  parts_->beat_thread = std::thread([this] { parts_->beat(); });
  parts_->await_control();
}

RunLink::~RunLink() {
  {
    const std::lock_guard<std::mutex> lock(parts_->mutex);
    parts_->leaving = true;
    parts_->changed.notify_all();
  }
  parts_->beat_thread.join();
  if (!parts_->death()) {
    parts_->client(parts_->port, kRoundTrip).Post("/leave" + parts_->rank_query());
  }
  parts_->control->stop();
  parts_->control_thread.join();
}

int RunLink::port() const {
  return parts_->port;
}

void RunLink::set(const std::string& key, const std::string& value) {
  const std::string path = "/key?name=" + to_hex(key);
  const auto result =
      parts_->client(parts_->port, kRoundTrip).Put(path, value, "application/octet-stream");
  if (result && result->status == 200) return;
  throw UserError({fmt::format("'{}' for the other ranks", key),
                   parts_->death().value_or("rank 0's service does not answer"),
                   "look at that rank's log"});
}

std::string RunLink::get(const std::string& key, milliseconds limit) {
  const Clock::time_point end = Clock::now() + limit;
  const std::string path =
      "/key?name=" + to_hex(key) + "&wait_ms=" + std::to_string(kKeySlice.count());
  httplib::Client asking = parts_->client(parts_->port, kKeySlice + kRoundTrip);
  while (true) {
    const auto result = asking.Get(path);
    if (result && result->status == 200) return result->body;
    if (const auto death = parts_->death()) {
      throw UserError(
          {fmt::format("'{}' from another rank", key), *death, "look at that rank's log"});
    }
    if (Clock::now() >= end) refuse_missing_key(key, limit);
    if (!result) std::this_thread::sleep_for(kPauseBetweenAttempts);
  }
}

void RunLink::report_failure(const std::string& what) {
  parts_->client(parts_->port, kRoundTrip)
      .Post("/failed" + parts_->rank_query(), what, "text/plain");
}

}  // namespace hone::parallel
