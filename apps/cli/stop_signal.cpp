#include "cli/stop_signal.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace hone::cli {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

void request_stop(int signal) {
  if (stop_requested != 0) {
    std::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  stop_requested = 1;
  constexpr std::string_view kSaid =
      "\nstopping after this step and saving; a second signal stops at once\n";
  // A failed write has nobody to tell.
  if (write(STDERR_FILENO, kSaid.data(), kSaid.size()) < 0) return;
}

}  // namespace

StopSignal::StopSignal() {
  stop_requested = 0;
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

StopSignal::~StopSignal() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool StopSignal::requested() const {
  return stop_requested != 0;
}

}  // namespace hone::cli
