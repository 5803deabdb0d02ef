// Standard output and standard error, and what is known of the terminal behind them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/log_sink.h"
#include "report/console.h"

namespace hone::cli {

class Terminal final : public LogSink, public report::TextOutput {
 public:
  Terminal();

  // LogSink: lines for a person, on standard output; warnings say so.
  void line(Severity severity, std::string_view text) override;
  // TextOutput: as it is, on standard output.
  void write(std::string_view text) override;
  // On standard error, with "error: " in front.
  void error(std::string_view text);
  // On standard error, as a line: what must not stand in an output that programs read.
  void aside(std::string_view text);

  bool interactive() const { return interactive_; }
  bool utf8() const { return utf8_; }
  int columns() const;

  // Progress for a run: a bar where somebody watches it, lines elsewhere.
  std::unique_ptr<report::Listener> progress(bool bar_allowed);

 private:
  bool interactive_;
  bool utf8_;
};

}  // namespace hone::cli
