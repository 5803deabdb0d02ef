#include "config/effective.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/text_encoding.h"

namespace hone::config {
namespace {

std::string describe(const Origin& origin) {
  std::string text = origin.place;
  for (auto replaced = origin.replaced.rbegin(); replaced != origin.replaced.rend(); ++replaced) {
    text += fmt::format(", in place of {}", *replaced);
  }
  return text;
}

}  // namespace

std::vector<EffectiveSetting> effective_settings(const ReadResult& result) {
  std::vector<EffectiveSetting> effective;
  for (const Declaration& declaration : Declarations::all().list()) {
    const auto origin = result.origins.find(declaration.name);
    if (origin == result.origins.end()) continue;
    const std::string value = is_secret(declaration.name)
                                  ? std::string(kHidden)
                                  : stored_text(declaration, result.settings);
    effective.push_back({declaration.name, formats::printable(value), describe(origin->second)});
  }
  return effective;
}

std::string to_text(const std::vector<EffectiveSetting>& settings) {
  std::size_t name_width = 0;
  std::size_t value_width = 0;
  for (const EffectiveSetting& setting : settings) {
    name_width = std::max(name_width, setting.name.size());
    value_width = std::max(value_width, setting.value.size());
  }
  // A long path must not push every origin off the screen.
  value_width = std::min<std::size_t>(value_width, 40);
  std::string text;
  for (const EffectiveSetting& setting : settings) {
    text += fmt::format("{:<{}}  {:<{}}  ({})\n", setting.name, name_width, setting.value,
                        value_width, setting.origin);
  }
  return text;
}

}  // namespace hone::config
