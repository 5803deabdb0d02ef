#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace hone::cli {
namespace {

constexpr int kUsualColumns = 80;

// The first locale variable that is set decides, as in setlocale.
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale(value);
    return locale.find("UTF-8") != std::string_view::npos ||
           locale.find("utf8") != std::string_view::npos;
  }
  return false;
}

}  // namespace

Terminal::Terminal() : interactive_(isatty(STDOUT_FILENO) != 0), utf8_(locale_is_utf8()) {}

void Terminal::line(Severity severity, std::string_view text) {
  if (severity == Severity::warning) write("warning: ");
  write(text);
  write("\n");
}

void Terminal::write(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void Terminal::error(std::string_view text) {
  aside("error: " + std::string(text));
}

void Terminal::aside(std::string_view text) {
  std::fflush(stdout);
  std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
}

int Terminal::columns() const {
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualColumns;
  return size.ws_col;
}

std::unique_ptr<report::Listener> Terminal::progress(bool bar_allowed) {
  if (interactive_ && bar_allowed) {
    return std::make_unique<report::BarConsole>(*this, utf8_, [this] { return columns(); });
  }
  return std::make_unique<report::LineConsole>(*this, utf8_);
}

}  // namespace hone::cli
