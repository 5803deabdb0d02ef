#include "cli/launch_environment.h"

#include <cmath>
#include <cstdlib>

#include "base/error.h"

extern char** environ;

namespace hone::cli {

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

bool environment_switch(const char* name) {
  return parallel::is_on(environment(name).value_or(""));
}

parallel::Environment whole_environment() {
  parallel::Environment variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return variables;
}

std::chrono::milliseconds environment_seconds(const char* name,
                                              std::chrono::milliseconds otherwise) {
  constexpr double kMostSeconds = 1e8;
  const std::optional<std::string> text = environment(name);
  if (!text) return otherwise;
  char* end = nullptr;
  const double seconds = std::strtod(text->c_str(), &end);
  if (*end != '\0' || !(seconds > 0.0) || seconds > kMostSeconds) {
    throw UserError({std::string(name) + "=" + *text, "not a number of seconds above 0",
                     "write for instance " + std::string(name) + "=60"});
  }
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000.0)));
}

}  // namespace hone::cli
