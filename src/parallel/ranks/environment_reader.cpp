#include "parallel/ranks/environment_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace hone::parallel {

bool is_on(std::string value) {
  std::transform(value.begin(), value.end(), value.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return value == "true" || value == "y" || value == "1";
}

bool EnvironmentReader::has(const std::string& name) const {
  const auto found = environment_.find(name);
  return found != environment_.end() && !found->second.empty();
}

std::string EnvironmentReader::text(const std::string& name, const std::string& otherwise) const {
  return has(name) ? environment_.at(name) : otherwise;
}

int EnvironmentReader::number(const std::string& name, int least, int most, int otherwise,
                              const std::string& beside) {
  if (!has(name)) return otherwise;
  const std::string& value = environment_.at(name);
  int result = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  const bool whole = error == std::errc() && end == value.data() + value.size();
  if (whole && result >= least && result <= most) return result;
  const std::string limit = has(beside) ? ", with " + shown(beside) : std::string();
  faults_.add({shown(name), fmt::format("not a whole number from {} to {}{}", least, most, limit),
               "start all ranks with one launcher, or correct it"});
  return least;
}

int EnvironmentReader::required_number(const std::string& name, int least, int most,
                                       const std::string& beside) {
  if (has(name)) return number(name, least, most, least, beside);
  faults_.add({name, "it is not set, although " + shown(beside) + " is",
               "start all ranks with one launcher, or set both"});
  return least;
}

}  // namespace hone::parallel
