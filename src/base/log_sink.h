// Where parts of the library send lines meant for a person. The library itself never prints.
#pragma once

#include <string_view>

namespace hone {

enum class Severity { info, warning };

// Implemented in apps/ (console, log file) and in tests. Lines come without a line end. May be
// called from one thread at a time only.
class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void line(Severity severity, std::string_view text) = 0;

  void info(std::string_view text) { line(Severity::info, text); }
  void warning(std::string_view text) { line(Severity::warning, text); }
};

}  // namespace hone
