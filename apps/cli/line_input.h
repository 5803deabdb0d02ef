// Lines from standard input, and SIGINT as something that a conversation can live with.
#pragma once

#include <csignal>
#include <optional>
#include <string>

namespace hone::cli {

// While it lives, SIGINT no longer ends the process: it is kept until somebody asks. One at a time.
class LineInput {
 public:
  LineInput();
  ~LineInput();
  LineInput(const LineInput&) = delete;
  LineInput& operator=(const LineInput&) = delete;

  // Somebody types, as opposed to a file or a pipe.
  bool interactive() const { return interactive_; }

  // The next line without its line end; nothing at the end of the input, or when SIGINT came.
  std::optional<std::string> next();

  // Whether SIGINT came since forget_interrupt().
  bool interrupted() const;
  void forget_interrupt();

 private:
  bool read_more();

  bool interactive_;
  bool ended_ = false;
  std::string pending_;
  struct sigaction usual_action_;
};

}  // namespace hone::cli
