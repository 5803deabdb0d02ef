// What ends a collective: which operation, who is missing, since when.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/error.h"

namespace hone::parallel {

enum class CollectiveFailure {
  timeout,  // ranks have not answered within the limit
  lost,     // a rank is gone
  stopped,  // this rank was told to stop
};

// The moment at which a call began, on both clocks: one to measure, one to name.
struct CallStart {
  std::chrono::steady_clock::time_point steady = std::chrono::steady_clock::now();
  std::chrono::system_clock::time_point wall = std::chrono::system_clock::now();
};

class CollectiveError : public UserError {
 public:
  CollectiveError(CollectiveFailure failure, std::vector<int> missing, Fault fault)
      : UserError(std::move(fault)), failure_(failure), missing_(std::move(missing)) {}

  CollectiveFailure failure() const { return failure_; }
  // Rising. Empty when this rank was told to stop.
  const std::vector<int>& missing() const { return missing_; }

 private:
  CollectiveFailure failure_;
  std::vector<int> missing_;
};

// What every such error starts with: "reduce-scatter on rank 0 of 4".
struct CallPlace {
  const char* operation;
  int rank;
  int ranks;
  CallStart start;
};

CollectiveError timed_out(const CallPlace& call, std::vector<int> missing,
                          std::chrono::milliseconds limit);
CollectiveError lost(const CallPlace& call, std::vector<int> gone, const std::string& detail);
CollectiveError stopped(const CallPlace& call, const std::string& reason);

// "rank 3", "ranks 1, 2 and 3".
std::string rank_list(const std::vector<int>& ranks);

}  // namespace hone::parallel
