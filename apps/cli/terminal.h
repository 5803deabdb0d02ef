// Standard output and standard error, and what is known of the terminal behind them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/log_sink.h"
#include "report/console.h"

namespace hone::cli {

class Terminal final : public LogSink, public report::TextOutput {
 public:
  // Of the lines of a LogSink.
  enum class Shown { all, warnings, errors };

  Terminal();

  void show(Shown shown) { shown_ = shown; }

  // LogSink: lines for a person, on standard output; warnings say so.
  void line(Severity severity, std::string_view text) override;
  // TextOutput: as it is, on standard output.
  void write(std::string_view text) override;
  // On standard error, with "error: " in front.
  void error(std::string_view text);
  // On standard error, as a line: what must not stand in an output that programs read.
  void aside(std::string_view text);

  // For a rank that does not speak to the user. hold(): from now on everything is kept; send_to():
  // what was kept, and everything that this process writes from now on, is added to a file, whose
  // folder is made. Throws UserError when that cannot be.
  void hold();
  void send_to(const std::filesystem::path& file);
  // As error(), on the standard error that the process began with.
  void say_last(std::string_view text);

  bool interactive() const { return interactive_; }
  bool utf8() const { return utf8_; }
  int columns() const;

  // Progress for a run: a bar where somebody watches it, lines elsewhere.
  std::unique_ptr<report::Listener> progress(bool bar_allowed);

 private:
  Shown shown_ = Shown::all;
  bool interactive_;
  bool utf8_;
  std::optional<std::string> held_;
  int first_error_file_ = -1;  // the standard error of the start, where it was sent elsewhere
};

}  // namespace hone::cli
