// What lr_scheduler_kwargs says: the settings that belong to one schedule, by transformers' names.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace hone::config {

struct ScheduleArguments {
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> words;

  std::optional<double> given(const std::string& name) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? std::nullopt : std::optional<double>(found->second);
  }
  double number(const std::string& name, double otherwise) const {
    return given(name).value_or(otherwise);
  }
  std::string word(const std::string& name, const std::string& otherwise) const {
    const auto found = words.find(name);
    return found == words.end() ? otherwise : found->second;
  }
};

}  // namespace hone::config
