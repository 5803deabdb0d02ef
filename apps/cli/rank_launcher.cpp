#include "cli/rank_launcher.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/rank_voice.h"

namespace hone::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFailed = 1;
constexpr int kInterrupted = 130;  // as a shell reports a process ended by SIGINT
constexpr int kCannotStart = 127;  // as a shell reports a program that cannot be run

// After a failure the other ranks are told of it and end by themselves.
constexpr std::chrono::seconds kGrace{10};
constexpr long kGlanceNanoseconds = 100'000'000;

[[noreturn]] void refuse_system(const char* what) {
  throw UserError({fmt::format("starting ranks: {}", what), std::generic_category().message(errno),
                   "see the limits of this machine"});
}

// A port of this machine that is free now.
int free_port() {
  const int file = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (file < 0) refuse_system("a socket");
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool bound =
      ::bind(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::getsockname(file, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(file);
  if (!bound) refuse_system("a free port");
  return ntohs(address.sin_port);
}

struct Child {
  int rank = 0;
  pid_t process = 0;
  int pipe = -1;
  std::optional<int> status;  // of waitpid, once it has ended
  bool killed_here = false;
};

// What is wanted of the launcher while it waits.
sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

std::string read_all(int file) {
  std::string bytes;
  std::array<char, 4096> block;
  while (true) {
    const ssize_t count = ::read(file, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(block.data(), static_cast<std::size_t>(count));
  }
}

bool stopped(const Child& child) {
  return WIFEXITED(*child.status) && WEXITSTATUS(*child.status) == kInterrupted;
}

bool failed(const Child& child) {
  return !stopped(child) && (!WIFEXITED(*child.status) || WEXITSTATUS(*child.status) != 0);
}

std::string described(const Child& child) {
  if (WIFEXITED(*child.status)) {
    return to_text({fmt::format("rank {} (pid {}) ended with status {}", child.rank, child.process,
                                WEXITSTATUS(*child.status)),
                    "it said nothing of why", "look at its log in output_dir/logs"});
  }
  const int signal = WTERMSIG(*child.status);
  return to_text(
      {fmt::format("rank {} (pid {}) ended by signal {}", child.rank, child.process, signal),
       signal == SIGKILL ? "somebody killed it; the system does so when memory runs out (dmesg)"
                         : fmt::format("{}", strsignal(signal)),
       "give the same command again to go on from the last checkpoint; logs are in "
       "output_dir/logs"});
}

// One attempt: all ranks of this machine, from start to end.
class Attempt {
 public:
  Attempt(const parallel::LaunchPlan& plan, std::vector<std::string> words, sigset_t usual)
      : plan_(plan), words_(std::move(words)), usual_(usual) {}

  void start(const parallel::Environment& launcher, int number) {
    for (int local = 0; local < plan_.ranks_per_node; ++local) {
      start_child(parallel::environment_of_rank(launcher, plan_, local, number),
                  plan_.node * plan_.ranks_per_node + local);
    }
  }

  // Returns when all have ended.
  void wait() {
    const sigset_t watched = watched_signals();
    while (std::any_of(children_.begin(), children_.end(), alive)) {
      const timespec glance = {0, kGlanceNanoseconds};
      const int signal = sigtimedwait(&watched, nullptr, &glance);
      if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) {
        interrupted_ = true;
        send(signal == SIGINT ? SIGINT : SIGTERM);
      }
      reap();
      if (deadline_ && Clock::now() >= *deadline_) kill_the_rest();
    }
    for (Child& child : children_) words_said_.push_back(from_bytes(read_all(child.pipe)));
  }

  void kill_the_rest() {
    for (Child& child : children_) child.killed_here = child.killed_here || !child.status;
    send(SIGKILL);
  }

  bool ended_well() const {
    return std::none_of(children_.begin(), children_.end(), failed) && !interrupted();
  }
  // By a signal to this launcher or to a rank, and no rank failed by itself.
  bool interrupted() const {
    const bool fault = std::any_of(children_.begin(), children_.end(), [&](const Child& child) {
      return failed(child) && (!interrupted_ || WIFEXITED(*child.status));
    });
    return !fault && (interrupted_ || std::any_of(children_.begin(), children_.end(), stopped));
  }

  // What came first: a rank that was ended from outside, what the ranks were told of each other, or
  // what the first one to end has said.
  std::string first_failure() const {
    for (const Child& child : children_) {
      if (!child.killed_here && WIFSIGNALED(*child.status)) return described(child);
    }
    for (const auto& words : words_said_) {
      if (words && words->told) return words->text;
    }
    for (std::size_t i = 0; i < children_.size(); ++i) {
      if (children_[i].rank != first_failed_ || !words_said_[i]) continue;
      const std::string& text = words_said_[i]->text;
      const bool all_alike = std::all_of(words_said_.begin(), words_said_.end(),
                                         [&](const auto& one) { return one && one->text == text; });
      return all_alike ? text : fmt::format("rank {}: {}", first_failed_, text);
    }
    for (const Child& child : children_) {
      if (child.rank == first_failed_) return described(child);
    }
    return "no rank failed";
  }

  ~Attempt() {
    for (const Child& child : children_) {
      if (child.pipe >= 0) ::close(child.pipe);
    }
  }
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

 private:
  static bool alive(const Child& child) { return !child.status; }

  void start_child(parallel::Environment environment, int rank) {
    std::array<int, 2> pipe = {-1, -1};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) refuse_system("a pipe");
    environment[kLastWordsVariable] = std::to_string(pipe[1]);
    std::vector<std::string> variables;
    for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
    const std::vector<char*> variable_list = pointers(variables);
    const std::vector<char*> word_list = pointers(words_);
    const pid_t launcher = ::getpid();
    const pid_t process = ::fork();
    if (process == 0) become_rank(launcher, pipe[1], word_list, variable_list);
    const int error = errno;
    ::close(pipe[1]);
    if (process < 0) {
      ::close(pipe[0]);
      kill_the_rest();
      errno = error;
      refuse_system("a process");
    }
    children_.push_back({rank, process, pipe[0], std::nullopt, false});
  }

  // In the child. A group of its own: signals of the terminal come through the launcher, once.
  [[noreturn]] void become_rank(pid_t launcher, int pipe, const std::vector<char*>& words,
                                const std::vector<char*>& variables) const {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != launcher) ::_exit(kCannotStart);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
    ::fcntl(pipe, F_SETFD, 0);
    ::sigprocmask(SIG_SETMASK, &usual_, nullptr);
    ::execve("/proc/self/exe", words.data(), variables.data());
    ::_exit(kCannotStart);
  }

  void send(int signal) {
    for (const Child& child : children_) {
      if (!child.status) ::kill(child.process, signal);
    }
  }

  void reap() {
    for (Child& child : children_) {
      int status = 0;
      if (child.status || ::waitpid(child.process, &status, WNOHANG) != child.process) continue;
      child.status = status;
      if (!failed(child)) continue;
      if (first_failed_ < 0) first_failed_ = child.rank;
      if (!deadline_) deadline_ = Clock::now() + kGrace;
    }
  }

  const parallel::LaunchPlan& plan_;
  std::vector<std::string> words_;
  sigset_t usual_;
  std::vector<Child> children_;
  std::vector<std::optional<LastWords>> words_said_;  // by child
  std::optional<Clock::time_point> deadline_;
  int first_failed_ = -1;
  bool interrupted_ = false;
};

std::string restart_line(const std::string& failure, int attempt, int most) {
  return fmt::format("{}\n  all ranks are started again (restart {} of {})", failure, attempt,
                     most);
}

}  // namespace

int launch_ranks(parallel::LaunchPlan plan, const parallel::Environment& environment,
                 const std::string& command, const Invocation& invocation, Terminal& terminal) {
  const sigset_t watched = watched_signals();
  sigset_t usual;
  ::sigprocmask(SIG_BLOCK, &watched, &usual);
  const bool choose_port = plan.master_port == 0;
  std::vector<std::string> words = {invocation.program, command};
  words.insert(words.end(), invocation.words.begin(), invocation.words.end());
  parallel::Environment launcher = environment;
  launcher[kFirstAttemptVariable] =
      std::to_string(std::chrono::duration_cast<std::chrono::seconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count());
  for (int number = 0;; ++number) {
    if (choose_port) plan.master_port = free_port();
    if (plan.nodes > 1) {
      terminal.info(fmt::format("Multi-node training enabled: num nodes: {}, node rank: {}",
                                plan.nodes, plan.node));
    }
    terminal.info(fmt::format("Initializing {} distributed tasks at: {}:{}", plan.ranks(),
                              plan.master_address, plan.master_port));
    Attempt attempt(plan, words, usual);
    attempt.start(launcher, number);
    attempt.wait();
    if (attempt.ended_well()) return 0;
    if (attempt.interrupted()) return kInterrupted;
    const std::string failure = attempt.first_failure();
    if (number >= plan.max_restarts) {
      terminal.error(failure);
      return kFailed;
    }
    terminal.warning(restart_line(failure, number + 1, plan.max_restarts));
  }
}

}  // namespace hone::cli
