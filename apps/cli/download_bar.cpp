#include "cli/download_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/units.h"

namespace hone::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenDrawings(100);
constexpr const char* kEraseLine = "\r\x1b[K";

}  // namespace

void DownloadBar::started(std::size_t, std::uint64_t bytes) {
  bytes_ = bytes;
  begun_ = false;
  done_ = 0;
}

void DownloadBar::advanced(const std::string& name, std::uint64_t done, std::uint64_t of,
                           std::uint64_t all_done) {
  const Clock::time_point now = Clock::now();
  if (!begun_) {
    begun_ = true;
    start_ = now;
    drawn_ = now - kBetweenDrawings;
    first_ = all_done;
  }
  done_ = all_done;
  const bool due = now - drawn_ >= kBetweenDrawings || (of > 0 && done == of);
  if (!terminal_.interactive() || !due) return;
  drawn_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate =
      seconds > 0 ? static_cast<double>(all_done - std::min(first_, all_done)) / seconds : 0.0;
  std::string text = fmt::format("{}  {} of {}", name, report::bytes_text(all_done),
                                 report::bytes_text(std::max(bytes_, all_done)));
  if (bytes_ > 0) {
    text +=
        fmt::format(" ({})", report::share_text(static_cast<double>(all_done) /
                                                static_cast<double>(std::max(bytes_, all_done))));
  }
  if (rate > 0) {
    text += fmt::format("  {}/s", report::bytes_text(static_cast<std::uint64_t>(rate)));
    if (bytes_ > all_done) {
      text += fmt::format("  ETA {}",
                          report::clock_text(static_cast<double>(bytes_ - all_done) / rate));
    }
  }
  const auto room = static_cast<std::size_t>(std::max(terminal_.columns() - 1, 1));
  terminal_.write(kEraseLine + text.substr(0, room));
  visible_ = true;
}

void DownloadBar::erase() {
  if (visible_) terminal_.write(kEraseLine);
  visible_ = false;
}

void DownloadBar::finished() {
  erase();
  if (!begun_ || done_ < bytes_) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  terminal_.info(fmt::format("fetched {} in {}",
                             report::bytes_text(done_ - std::min(first_, done_)),
                             report::short_time_text(seconds)));
}

void DownloadBar::line(Severity severity, std::string_view text) {
  erase();
  terminal_.line(severity, text);
}

}  // namespace hone::cli
