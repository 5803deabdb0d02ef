#include "cli/rank_voice.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "cli/launch_environment.h"
#include "parallel/ranks/watch.h"

namespace hone::cli {
namespace {

// Less than a pipe holds: the launcher reads it when the rank has ended.
constexpr std::size_t kMostBytes = 32768;

constexpr char kTold = 'T';
constexpr char kOwn = 'O';

std::optional<int> pipe_of_launcher() {
  const std::optional<std::string> text = environment(kLastWordsVariable);
  if (!text) return std::nullopt;
  char* end = nullptr;
  const long number = std::strtol(text->c_str(), &end, 10);
  const auto file = static_cast<int>(number);
  if (*end != '\0' || file <= STDERR_FILENO || fcntl(file, F_GETFD) < 0) return std::nullopt;
  // Whatever this rank starts has nothing to say there.
  fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
}

bool send(int file, const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t count = write(file, bytes.data() + sent, bytes.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

std::string to_bytes(const LastWords& words) {
  return (words.told ? kTold : kOwn) + words.text.substr(0, kMostBytes);
}

std::optional<LastWords> from_bytes(const std::string& bytes) {
  if (bytes.empty()) return std::nullopt;
  return LastWords{bytes.front() == kTold, bytes.substr(1)};
}

RankVoice::RankVoice(const parallel::Membership& member, Terminal& terminal)
    : rank_(member.rank), terminal_(terminal), pipe_(pipe_of_launcher()) {
  if (rank_ != 0) terminal_.hold();
}

void RankVoice::open_log(const std::filesystem::path& output_dir) {
  if (rank_ == 0) return;
  terminal_.send_to(output_dir / "logs" / ("rank-" + std::to_string(rank_) + ".log"));
}

void RankVoice::say_last(const LastWords& words, bool reported) {
  if (rank_ != 0) terminal_.error(words.text);
  if (pipe_ && send(*pipe_, to_bytes(words))) return;
  const std::string in_front = rank_ == 0 ? "" : "rank " + std::to_string(rank_) + ": ";
  // When rank 0 has failed without a word, the next one says so.
  const bool for_rank_0 = words.told && rank_ == 1 && words.text.rfind("rank 0 (", 0) == 0 &&
                          parallel::failed_without_a_word(words.text);
  if (rank_ == 0 || for_rank_0 || (!words.told && !reported)) {
    terminal_.say_last(in_front + words.text);
  }
}

}  // namespace hone::cli
