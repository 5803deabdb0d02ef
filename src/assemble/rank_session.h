// One rank's part in a run of several: it meets the others, agrees with them, is connected to them,
// and learns at once when one of them has failed.
//
// Rank 0 carries the service (parallel/ranks/service.h); every rank has a link to it and a
// transport (Gloo). All ranks call share(), compare() and finish() in the same order with the same
// names.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "parallel/collectives/transport.h"
#include "parallel/ranks/agreement.h"
#include "parallel/ranks/membership.h"
#include "parallel/ranks/run_link.h"
#include "parallel/ranks/service.h"

namespace hone::assemble {

struct RankOptions {
  parallel::Membership member;
  // A network interface by name, and the variable that named it; empty: the one by which rank 0's
  // machine is reached.
  std::string interface;
  std::string interface_variable = "GLOO_SOCKET_IFNAME";
  std::chrono::milliseconds meeting_limit = std::chrono::minutes(5);  // until all ranks are there
  std::chrono::milliseconds heartbeat_limit = std::chrono::seconds(30);
  // Called once, from another thread, when a rank has failed; may be empty.
  std::function<void(const std::string& what)> on_failure = {};
};

// Another rank has failed, and this one ends for that. what() is that failure: "rank 2 (host b, pid
// 4711): ...".
class OtherRankFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class RankSession {
 public:
  // Meets the others: returns when all ranks are there and connected. Throws UserError when that
  // takes longer than the limit, with the ranks that are missing; when a rank was started twice;
  // when the interface does not exist; OtherRankFailed when another rank cannot come.
  explicit RankSession(const RankOptions& options);
  ~RankSession();
  RankSession(const RankSession&) = delete;
  RankSession& operator=(const RankSession&) = delete;

  const parallel::Membership& member() const { return options_.member; }
  int rank() const { return options_.member.rank; }
  int ranks() const { return options_.member.ranks; }
  parallel::Transport& transport() { return *transport_; }
  // Of every rank: "host b, pid 4711".
  const std::vector<std::string>& places() const { return places_; }

  // "ranks: 4, 2 of them on this machine, connected through 10.0.0.1 (eth0)"
  std::string summary() const;

  // The text that rank 0 makes, on all ranks; the others wait for it as long as rank 0 lives.
  std::string share(const std::string& name, const std::function<std::string()>& make);

  // Throws the same UserError on all ranks when their facts differ.
  void compare(const std::string& name, const parallel::RankFacts& facts);

  // Runs `work` on the first rank of each machine, and then on its others, which wait for it as
  // long as nobody fails: what the first one leaves on the disk is there for them.
  void first_of_machine_first(const std::string& name, const std::function<void()>& work);

  // To be called when the rank has done everything: returns when all have.
  void finish();

  // What ended the run: the first failure of any rank, if this one has been told of one within
  // `wait`. "rank 2 (host b, pid 4711): ..."
  std::optional<std::string> failure(std::chrono::milliseconds wait);

  // Tells the others that this rank cannot go on.
  void report_failure(const std::string& what);

 private:
  void open_link();
  void meet();
  void connect();
  void failed(const std::string& what);

  RankOptions options_;
  std::string host_;
  std::string where_;  // "host b, pid 4711"
  std::vector<std::string> places_;
  std::string address_;  // by which the others reach this rank
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::string> failure_;
  bool finished_ = false;
  std::unique_ptr<parallel::Service> service_;
  std::unique_ptr<parallel::RunLink> link_;
  std::unique_ptr<parallel::Transport> transport_;
};

}  // namespace hone::assemble
