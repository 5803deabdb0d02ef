#include "parallel/collectives/in_process.h"

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "parallel/collectives/collective_error.h"

namespace hone::parallel {
namespace {

// A posted message; lives on the sender's stack until it is done or withdrawn.
struct Message {
  enum class State { posted, copying, done };
  const Outgoing* outgoing = nullptr;
  const char* operation = nullptr;
  State state = State::posted;
};

struct Member {
  bool gone = false;
  std::string why_gone;
  std::optional<std::string> stopped;
};

}  // namespace

struct InProcessGroup::Meeting {
  explicit Meeting(int count)
      : members(static_cast<std::size_t>(count)),
        boxes(static_cast<std::size_t>(count) * static_cast<std::size_t>(count)) {}

  std::deque<Message*>& box(int from, int to) {
    return boxes[static_cast<std::size_t>(from) * members.size() + static_cast<std::size_t>(to)];
  }
  Member& member(int rank) { return members[static_cast<std::size_t>(rank)]; }

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Member> members;
  std::vector<std::deque<Message*>> boxes;  // [from][to], what was posted and not yet taken
};

namespace {

class InProcessTransport final : public Transport {
 public:
  InProcessTransport(std::shared_ptr<InProcessGroup::Meeting> meeting, int rank)
      : meeting_(std::move(meeting)), rank_(rank) {}

  ~InProcessTransport() override {
    const std::lock_guard<std::mutex> lock(meeting_->mutex);
    Member& self = meeting_->member(rank_);
    if (!self.gone) self.why_gone = "it has left the group";
    self.gone = true;
    meeting_->changed.notify_all();
  }

  int rank() const override { return rank_; }
  int ranks() const override { return static_cast<int>(meeting_->members.size()); }

  void exchange(const Exchange& exchange) override {
    const CallPlace call{exchange.operation, rank_, ranks(), {}};
    const auto deadline = call.start.steady + exchange.limit;
    std::unique_lock<std::mutex> lock(meeting_->mutex);
    std::vector<Message> messages = post(exchange);
    try {
      receive(exchange, call, deadline, lock);
      await_taken(exchange, messages, call, deadline, lock);
    } catch (...) {
      withdraw(messages, lock);
      leave("its " + std::string(exchange.operation) + " has failed");
      throw;
    }
  }

  void stop(const std::string& reason) override {
    const std::lock_guard<std::mutex> lock(meeting_->mutex);
    Member& self = meeting_->member(rank_);
    if (!self.stopped) self.stopped = reason;
    leave(reason);
  }

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Deadline = std::chrono::steady_clock::time_point;

  std::vector<Message> post(const Exchange& exchange) {
    std::vector<Message> messages(exchange.outgoing.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const Outgoing& outgoing = exchange.outgoing[i];
      HONE_ASSERT(outgoing.peer != rank_ && outgoing.peer >= 0 && outgoing.peer < ranks(),
                  outgoing.peer, rank_);
      messages[i] = {&outgoing, exchange.operation, Message::State::posted};
      if (outgoing.bytes == 0) {
        messages[i].state = Message::State::done;
      } else {
        meeting_->box(rank_, outgoing.peer).push_back(&messages[i]);
      }
    }
    meeting_->changed.notify_all();
    return messages;
  }

  void receive(const Exchange& exchange, const CallPlace& call, Deadline deadline, Lock& lock) {
    for (const Incoming& incoming : exchange.incoming) {
      if (incoming.bytes == 0) continue;
      std::deque<Message*>& box = meeting_->box(incoming.peer, rank_);
      await(exchange, call, deadline, lock, incoming.peer, [&] { return !box.empty(); });
      Message& message = *box.front();
      box.pop_front();
      HONE_ASSERT(message.outgoing->bytes == incoming.bytes, message.operation,
                  message.outgoing->bytes, exchange.operation, incoming.bytes);
      message.state = Message::State::copying;
      lock.unlock();
      std::memcpy(incoming.data, message.outgoing->data, incoming.bytes);
      lock.lock();
      message.state = Message::State::done;
      meeting_->changed.notify_all();
    }
  }

  void await_taken(const Exchange& exchange, const std::vector<Message>& messages,
                   const CallPlace& call, Deadline deadline, Lock& lock) {
    for (const Message& message : messages) {
      await(exchange, call, deadline, lock, message.outgoing->peer,
            [&] { return message.state == Message::State::done; });
    }
  }

  // Waits until done() or until that is hopeless.
  template <class Done>
  void await(const Exchange& exchange, const CallPlace& call, Deadline deadline, Lock& lock,
             int peer, const Done& done) {
    const Member& self = meeting_->member(rank_);
    const Member& other = meeting_->member(peer);
    const bool settled = meeting_->changed.wait_until(
        lock, deadline, [&] { return done() || self.stopped || other.gone; });
    if (self.stopped) throw stopped(call, *self.stopped);
    if (done()) return;
    if (settled) throw lost(call, {peer}, other.why_gone);
    throw timed_out(call, missing(exchange), exchange.limit);
  }

  // Peers whose messages have not come.
  std::vector<int> missing(const Exchange& exchange) {
    std::vector<int> ranks;
    for (const Incoming& incoming : exchange.incoming) {
      if (incoming.bytes > 0 && meeting_->box(incoming.peer, rank_).empty() &&
          !took_part(exchange, incoming.peer)) {
        ranks.push_back(incoming.peer);
      }
    }
    for (const Outgoing& outgoing : exchange.outgoing) {
      if (outgoing.bytes > 0 && !meeting_->box(rank_, outgoing.peer).empty()) {
        ranks.push_back(outgoing.peer);
      }
    }
    return ranks;
  }

  // Whether the peer has taken what this call sent it: then it is in the same call.
  bool took_part(const Exchange& exchange, int peer) {
    for (const Outgoing& outgoing : exchange.outgoing) {
      if (outgoing.peer == peer && outgoing.bytes > 0) return meeting_->box(rank_, peer).empty();
    }
    return false;
  }

  void withdraw(std::vector<Message>& messages, Lock& lock) {
    for (Message& message : messages) {
      if (message.state == Message::State::posted) {
        std::deque<Message*>& box = meeting_->box(rank_, message.outgoing->peer);
        for (auto it = box.begin(); it != box.end(); ++it) {
          if (*it == &message) {
            box.erase(it);
            break;
          }
        }
      }
      meeting_->changed.wait(lock, [&] { return message.state != Message::State::copying; });
    }
  }

  void leave(const std::string& why) {
    Member& self = meeting_->member(rank_);
    if (!self.gone) self.why_gone = why;
    self.gone = true;
    meeting_->changed.notify_all();
  }

  std::shared_ptr<InProcessGroup::Meeting> meeting_;
  int rank_;
};

}  // namespace

InProcessGroup::InProcessGroup(int ranks) : meeting_(std::make_shared<Meeting>(ranks)) {
  HONE_ASSERT(ranks >= 1, ranks);
}
InProcessGroup::~InProcessGroup() = default;

int InProcessGroup::ranks() const {
  return static_cast<int>(meeting_->members.size());
}

std::unique_ptr<Transport> InProcessGroup::join(int rank) {
  HONE_ASSERT(rank >= 0 && rank < ranks(), rank, ranks());
  return std::make_unique<InProcessTransport>(meeting_, rank);
}

void run_ranks(int ranks, const std::function<void(Transport&)>& body) {
  InProcessGroup group(ranks);
  std::mutex mutex;
  std::exception_ptr first;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, transport = group.join(rank)] {
      try {
        body(*transport);
      } catch (const std::exception& error) {
        {
          const std::lock_guard<std::mutex> lock(mutex);
          if (!first) first = std::current_exception();
        }
        transport->stop(error.what());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace hone::parallel
