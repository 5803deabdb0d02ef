#include "cli/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/error.h"

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
  if (shown_ == Shown::errors) return;
  if (shown_ == Shown::warnings && severity != Severity::warning) return;
  if (severity == Severity::warning) write("warning: ");
  write(text);
  write("\n");
}

void Terminal::write(std::string_view text) {
  if (held_) {
    held_->append(text);
    return;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void Terminal::hold() {
  held_.emplace();
  interactive_ = false;
}

void Terminal::send_to(const std::filesystem::path& file) {
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (opened < 0) {
    throw UserError({"a log in " + file.string(),
                     "it cannot be written: " + std::generic_category().message(errno),
                     "choose an output_dir that can be written on every machine"});
  }
  std::fflush(stdout);
  first_error_file_ = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::dup2(opened, STDOUT_FILENO);
  ::dup2(opened, STDERR_FILENO);
  ::close(opened);
  const std::string kept = std::exchange(held_, std::nullopt).value_or("");
  write(kept);
}

void Terminal::say_last(std::string_view text) {
  const std::string line = "error: " + std::string(text) + "\n";
  const int file = first_error_file_ < 0 ? STDERR_FILENO : first_error_file_;
  std::fflush(stdout);
  // A failed write has nobody to tell.
  if (::write(file, line.data(), line.size()) < 0) return;
}

void Terminal::error(std::string_view text) {
  aside("error: " + std::string(text));
}

void Terminal::aside(std::string_view text) {
  if (held_) {
    held_->append(text).append("\n");
    return;
  }
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
