// SIGINT and SIGTERM as a wish to stop: the first finishes the step and saves, the second ends the
// process at once.
#pragma once

namespace hone::cli {

// Handles the signals while it lives. One at a time.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  bool requested() const;
};

}  // namespace hone::cli
