// Who of a run's ranks speaks to the user: rank 0. The others write into logs of their own, and an
// error is said once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/terminal.h"
#include "parallel/ranks/membership.h"

namespace hone::cli {

// The variable by which our launcher tells a rank where to send its last words: the number of a
// pipe. The launcher then says what came first.
inline constexpr const char* kLastWordsVariable = "HONE_LAST_WORDS";

// When the launcher began, in seconds since 1970: what was saved since then is this run's.
inline constexpr const char* kFirstAttemptVariable = "HONE_FIRST_ATTEMPT";

// What a rank of our launcher says at its end, as it goes through the pipe.
struct LastWords {
  bool told = false;  // another rank's failure, which this rank was told of
  std::string text;
};
std::string to_bytes(const LastWords& words);
std::optional<LastWords> from_bytes(const std::string& bytes);

class RankVoice {
 public:
  // What ranks other than 0 write is kept until there is a log for it. `terminal` must outlive this
  // object.
  RankVoice(const parallel::Membership& member, Terminal& terminal);

  // Opens output_dir/logs/rank-N.log, where everything goes from now on; nothing on rank 0.
  void open_log(const std::filesystem::path& output_dir);

  // The error that ends this rank. `told`: it is another rank's; `reported`: the other ranks know
  // of it, so that rank 0 will say it.
  void say_last(const LastWords& words, bool reported);

 private:
  int rank_;
  Terminal& terminal_;
  std::optional<int> pipe_;
};

}  // namespace hone::cli
