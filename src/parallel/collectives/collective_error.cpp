#include "parallel/collectives/collective_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace hone::parallel {
namespace {

std::string place_text(const CallPlace& call) {
  return fmt::format("{} on rank {} of {}", call.operation, call.rank, call.ranks);
}

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

// "2026-11-30 23:04:11 UTC (30.0 s)"
std::string since_text(const CallStart& start) {
  const std::time_t time = std::chrono::system_clock::to_time_t(start.wall);
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
  return fmt::format("{} UTC ({:.1f} s)", text,
                     seconds(std::chrono::steady_clock::now() - start.steady));
}

std::vector<int> rising(std::vector<int> ranks) {
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

}  // namespace

std::string rank_list(const std::vector<int>& ranks) {
  if (ranks.size() == 1) return fmt::format("rank {}", ranks.front());
  std::string text = "ranks ";
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (i > 0) text += i + 1 == ranks.size() ? " and " : ", ";
    text += std::to_string(ranks[i]);
  }
  return text;
}

CollectiveError timed_out(const CallPlace& call, std::vector<int> missing,
                          std::chrono::milliseconds limit) {
  missing = rising(std::move(missing));
  const std::string who = rank_list(missing);
  return {CollectiveFailure::timeout,
          missing,
          {place_text(call),
           fmt::format("no answer from {} since {}; the limit is {:.1f} s", who,
                       since_text(call.start), seconds(limit)),
           fmt::format("look at the log of {} and at the network between the ranks; ddp_timeout "
                       "sets the limit",
                       who)}};
}

CollectiveError lost(const CallPlace& call, std::vector<int> gone, const std::string& detail) {
  gone = rising(std::move(gone));
  const std::string who = rank_list(gone);
  return {CollectiveFailure::lost,
          gone,
          {place_text(call),
           fmt::format("{} {} gone, waited for since {}: {}", who, gone.size() == 1 ? "is" : "are",
                       since_text(call.start), detail),
           fmt::format("look at the log of {}: it ended, or lost its network", who)}};
}

CollectiveError stopped(const CallPlace& call, const std::string& reason) {
  return {CollectiveFailure::stopped,
          {},
          {place_text(call), "this rank was told to stop: " + reason, "look at that first error"}};
}

}  // namespace hone::parallel
