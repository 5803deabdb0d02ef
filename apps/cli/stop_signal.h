// SIGINT and SIGTERM as a wish to stop: the first is seen by the run, the second ends the process
// at once.
#pragma once

namespace hone::cli {

// Handles the signals while it lives. One at a time.
class StopSignal {
 public:
  // `promise`: what the run does at the first, said on standard error: "stopping after this step
  // and saving". Empty: nothing is said. It must outlive the program's end.
  explicit StopSignal(const char* promise);
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  bool requested() const;
};

}  // namespace hone::cli
