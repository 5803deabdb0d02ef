#include "cli/line_input.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/error.h"

namespace hone::cli {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;
// A byte in it wakes whoever waits for a line: the signal may have come to another thread.
int wake_pipe[2] = {-1, -1};

void note_interrupt(int) {
  const int error = errno;
  interrupt_seen = 1;
  constexpr char kByte = 0;
  // The pipe is full only when there is enough in it to wake.
  if (write(wake_pipe[1], &kByte, 1) < 0) interrupt_seen = 1;
  errno = error;
}

}  // namespace

LineInput::LineInput() : interactive_(isatty(STDIN_FILENO) != 0) {
  interrupt_seen = 0;
  HONE_ASSERT(pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) == 0, errno);
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &usual_action_);
}

LineInput::~LineInput() {
  sigaction(SIGINT, &usual_action_, nullptr);
  for (int& end : wake_pipe) {
    close(end);
    end = -1;
  }
}

bool LineInput::interrupted() const {
  return interrupt_seen != 0;
}

void LineInput::forget_interrupt() {
  std::array<char, 64> bytes;
  while (read(wake_pipe[0], bytes.data(), bytes.size()) > 0) {
  }
  interrupt_seen = 0;
}

bool LineInput::read_more() {
  std::array<pollfd, 2> inputs = {{{STDIN_FILENO, POLLIN, 0}, {wake_pipe[0], POLLIN, 0}}};
  while (poll(inputs.data(), inputs.size(), -1) < 0 && errno == EINTR) {
  }
  if (interrupted()) return false;
  std::array<char, 4096> bytes;
  const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count <= 0) return false;
  pending_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

std::optional<std::string> LineInput::next() {
  std::size_t end = pending_.find('\n');
  while (end == std::string::npos && !ended_) {
    ended_ = !read_more();
    end = pending_.find('\n');
  }
  if (interrupted()) return std::nullopt;
  if (end == std::string::npos && pending_.empty()) return std::nullopt;
  std::string line = pending_.substr(0, end);
  pending_.erase(0, end == std::string::npos ? end : end + 1);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

}  // namespace hone::cli
