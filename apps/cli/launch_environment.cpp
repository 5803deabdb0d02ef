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

// Each counts in what the one before left. CUDA's name is another one for HIP's, and not looked at
// beside it.
std::string gpu_filters() {
  std::string text;
  const auto add = [&](const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr) return false;
    text += std::string(text.empty() ? "" : ", and of those ") + name + "=" + value;
    return true;
  };
  add("ROCR_VISIBLE_DEVICES");
  if (!add("HIP_VISIBLE_DEVICES")) add("CUDA_VISIBLE_DEVICES");
  add("GPU_DEVICE_ORDINAL");
  return text;
}

}  // namespace hone::cli
