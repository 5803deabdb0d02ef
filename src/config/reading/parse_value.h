// From what was written to the value of a setting, by the setting's declaration.
#pragma once

#include <string>

#include "config/reading/written.h"
#include "config/settings/declaration.h"

namespace hone::config {

struct ParsedValue {
  SettingValue value;
  // Empty when all is well; else two parts of a Fault.
  std::string found;
  std::string remedy;

  bool ok() const { return found.empty(); }
};

// `home` stands for a leading ~ of paths; empty: it stays. null, an empty list and an empty path
// come out as monostate, unset. Choices come out by name; a refused one is not ok.
ParsedValue parse_value(const Declaration& declaration, const Written& written,
                        const std::string& home);

// Whether a word means true or false, in any case of letters: true yes t y 1 on, false no f n 0
// off.
std::optional<bool> parse_boolean(const std::string& word);

bool within(const Range& limits, double number);  // never what is not finite

// "at least 0", "above 0 and at most 1"; empty where there are no limits.
std::string describe_limits(const Range& limits);

// "linear, cosine": the choices that work.
std::string working_choices(const Declaration& declaration);

}  // namespace hone::config
