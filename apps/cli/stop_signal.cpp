#include "cli/stop_signal.h"

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace hone::cli {
namespace {

volatile std::sig_atomic_t stop_requested = 0;
const char* said = "";

void say(const char* text) {
  // A failed write has nobody to tell.
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void request_stop(int signal) {
  if (stop_requested != 0) {
    std::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  stop_requested = 1;
  if (*said == '\0') return;
  say("\n");
  say(said);
  say("; a second signal stops at once\n");
}

}  // namespace

StopSignal::StopSignal(const char* promise) {
  said = promise;
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
