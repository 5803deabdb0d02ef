// A download as one moving line on a terminal, and nothing where nobody watches.
#pragma once

#include <chrono>
#include <string>

#include "base/log_sink.h"
#include "cli/terminal.h"
#include "hub/hub_options.h"

namespace hone::cli {

class DownloadBar final : public hub::DownloadProgress, public LogSink {
 public:
  explicit DownloadBar(Terminal& terminal) : terminal_(terminal) {}

  void started(std::size_t files, std::uint64_t bytes) override;
  void advanced(const std::string& name, std::uint64_t done, std::uint64_t of,
                std::uint64_t all_done) override;
  void finished() override;

  // A line between two drawings.
  void line(Severity severity, std::string_view text) override;

 private:
  using Clock = std::chrono::steady_clock;
  void erase();

  Terminal& terminal_;
  std::uint64_t bytes_ = 0;
  std::uint64_t first_ = 0;  // there when the clock was started
  std::uint64_t done_ = 0;
  Clock::time_point start_, drawn_;
  bool begun_ = false;
  bool visible_ = false;
};

}  // namespace hone::cli
