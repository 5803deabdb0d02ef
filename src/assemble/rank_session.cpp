#include "assemble/rank_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "parallel/collectives/collective_error.h"
#include "parallel/collectives/collectives.h"
#include "parallel/collectives/gloo_transport.h"
#include "parallel/ranks/network_interfaces.h"

namespace hone::assemble {
namespace {

using std::chrono::milliseconds;

// For waits that only another rank's failure ends: preparing data may take days.
constexpr milliseconds kNoLimit = std::chrono::hours(24 * 365 * 10);

// Ports that are tried from MASTER_PORT on (docs/decisions/collectives.md).
constexpr int kPorts = 16;

constexpr const char* kEveryone = "meeting/everyone";

std::string host_name() {
  std::array<char, 256> name = {};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

std::string joined_key(int rank) {
  return fmt::format("meeting/{}", rank);
}

// Of texts without line ends.
std::string lines_of(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, "\n"));
}

std::vector<std::string> texts_of(const std::string& lines) {
  std::vector<std::string> texts;
  std::istringstream stream(lines);
  for (std::string text; std::getline(stream, text);) texts.push_back(text);
  return texts;
}

bool is_this_machine(const std::string& address) {
  return address == "127.0.0.1" || address == "localhost" || address == "::1";
}

}  // namespace

RankSession::RankSession(const RankOptions& options)
    : options_(options),
      host_(host_name()),
      where_(fmt::format("host {}, pid {}", host_, ::getpid())) {
  const parallel::Membership& member = options_.member;
  if (!options_.interface.empty()) {
    parallel::require_network_interface(options_.interface_variable, options_.interface);
  } else {
    address_ = parallel::address_towards(member.master_address, member.master_port);
  }
  open_link();
  try {
    meet();
    connect();
  } catch (const std::exception& error) {
    if (const auto first = failure(milliseconds(0))) throw OtherRankFailed(*first);
    report_failure(error.what());
    throw;
  }
}

void RankSession::open_link() {
  const parallel::Membership& member = options_.member;
  const int first_port = member.master_port + (member.master_port_is_taken ? 1 : 0);
  if (rank() == 0) {
    parallel::ServiceOptions service;
    // Ranks of one machine are nobody else's business.
    if (is_this_machine(member.master_address)) service.address = "127.0.0.1";
    service.first_port = first_port;
    service.ports = kPorts;
    service.run_id = member.run_id;
    service.ranks = ranks();
    service.heartbeat_limit = options_.heartbeat_limit;
    service_ = std::make_unique<parallel::Service>(service);
  }
  parallel::LinkOptions link;
  link.rank = rank();
  // Rank 0's own service is here, whatever name the others know this machine by.
  link.address = rank() == 0 ? "127.0.0.1" : member.master_address;
  link.first_port = rank() == 0 ? service_->port() : first_port;
  link.ports = rank() == 0 ? 1 : kPorts;
  link.run_id = member.run_id;
  link.where = where_;
  link.connect_limit = options_.meeting_limit;
  link.heartbeat_limit = options_.heartbeat_limit;
  link.beat = options_.heartbeat_limit / 6;
  link_ =
      std::make_unique<parallel::RunLink>(link, [this](const std::string& what) { failed(what); });
}

void RankSession::connect() {
  auto transport = parallel::connect_gloo({.rank = rank(),
                                           .ranks = ranks(),
                                           .interface = options_.interface,
                                           .host = address_,
                                           .connect_limit = options_.meeting_limit},
                                          *link_);
  const std::lock_guard<std::mutex> lock(mutex_);
  transport_ = std::move(transport);
  if (failure_) transport_->stop(*failure_);
}

// The link goes first: from then on nobody calls failed().
RankSession::~RankSession() {
  link_.reset();
}

void RankSession::meet() {
  link_->set(joined_key(rank()), where_);
  if (rank() == 0) {
    const auto end = std::chrono::steady_clock::now() + options_.meeting_limit;
    std::vector<std::string> everyone;
    std::vector<int> missing;
    for (int other = 0; other < ranks(); ++other) {
      const auto left = std::chrono::duration_cast<milliseconds>(
          std::max(end - std::chrono::steady_clock::now(), std::chrono::nanoseconds(0)));
      try {
        everyone.push_back(link_->get(joined_key(other), left));
      } catch (const UserError&) {
        if (failure(milliseconds(0))) throw;
        missing.push_back(other);
      }
    }
    if (!missing.empty()) {
      throw UserError(
          {fmt::format("a run of {} ranks at {}, port {}", ranks(), options_.member.master_address,
                       service_->port()),
           fmt::format("{} did not come within {:.0f} s", parallel::rank_list(missing),
                       std::chrono::duration<double>(options_.meeting_limit).count()),
           "see that all ranks were started, and that MASTER_ADDR and MASTER_PORT are the same on "
           "all of them"});
    }
    link_->set(kEveryone, lines_of(everyone));
  }
  places_ = texts_of(link_->get(kEveryone, options_.meeting_limit + milliseconds(5000)));
  HONE_ASSERT(places_.size() == static_cast<std::size_t>(ranks()), places_.size());
  const std::string& known = places_[static_cast<std::size_t>(rank())];
  if (known == where_) return;
  throw UserError({fmt::format("rank {} of {}", rank(), ranks()),
                   fmt::format("started twice: on {}, and on {}", known, where_),
                   "give every process a rank of its own (RANK, or NODE_RANK for each machine)"});
}

std::string RankSession::summary() const {
  const parallel::Membership& member = options_.member;
  const std::string way =
      options_.interface.empty()
          ? "the address " + (address_.empty() ? host_ : address_)
          : fmt::format("the interface {} ({})", options_.interface, options_.interface_variable);
  return fmt::format("ranks: {}, {} of them on this machine, connected through {}", member.ranks,
                     member.local_ranks, way);
}

std::string RankSession::share(const std::string& name, const std::function<std::string()>& make) {
  const std::string key = "share/" + name;
  if (rank() != 0) return link_->get(key, kNoLimit);
  const std::string text = make();
  link_->set(key, text);
  return text;
}

void RankSession::compare(const std::string& name, const parallel::RankFacts& facts) {
  parallel::compare_between_ranks(*link_, name, rank(), ranks(), facts, kNoLimit);
}

void RankSession::first_of_machine_first(const std::string& name,
                                         const std::function<void()>& work) {
  const std::string key = fmt::format("first/{}/{}", name, host_);
  const bool first = options_.member.local_rank == 0;
  if (!first) link_->get(key, kNoLimit);
  work();
  if (first) link_->set(key, "done");
}

void RankSession::finish() {
  parallel::Collectives collectives(*transport_, {});
  collectives.barrier();
  {
    // From here on a rank that ends has ended well.
    const std::lock_guard<std::mutex> lock(mutex_);
    finished_ = true;
  }
  collectives.barrier();
}

std::optional<std::string> RankSession::failure(milliseconds wait) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, wait, [&] { return failure_.has_value(); });
  return failure_;
}

void RankSession::report_failure(const std::string& what) {
  link_->report_failure(what);
}

void RankSession::failed(const std::string& what) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (finished_ || failure_) return;
    failure_ = what;
    if (transport_) transport_->stop(what);
    changed_.notify_all();
  }
  if (options_.on_failure) options_.on_failure(what);
}

}  // namespace hone::assemble
