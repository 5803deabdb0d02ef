#include "config/reading/yaml_slips.h"

#include <cctype>

#include <fmt/format.h>

#include "config/settings/declaration.h"
#include "formats/text_encoding.h"

namespace hone::config {
namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// Length of the name that a line starts with; 0 when it does not start with one.
std::size_t name_length(std::string_view line) {
  if (line.empty() || (std::isalpha(static_cast<unsigned char>(line[0])) == 0 && line[0] != '_')) {
    return 0;
  }
  std::size_t length = 0;
  while (length < line.size() && is_name_character(line[length])) ++length;
  return length;
}

std::string_view without_end_blanks(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) {
    line.remove_suffix(1);
  }
  return line;
}

// `key: |`, `key: >-` and the like: the indented lines below are text.
bool opens_block(std::string_view line) {
  line = without_end_blanks(line);
  const std::size_t blank = line.rfind(' ');
  if (blank == std::string_view::npos || blank + 1 >= line.size()) return false;
  const std::string_view last = line.substr(blank + 1);
  if (last[0] != '|' && last[0] != '>') return false;
  return last.find_first_not_of("|>+-0123456789") == std::string_view::npos;
}

// Change of the depth of [ ] and { } over a line, quoted text and comments left out.
int bracket_change(std::string_view line) {
  int change = 0;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '#' && (i == 0 || line[i - 1] == ' ')) {
      break;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++change;
    } else if (c == ']' || c == '}') {
      --change;
    }
  }
  return change;
}

// A line or value as faults may show it: never what belongs to a secret.
std::string shown(std::string_view text, std::string_view name) {
  return is_secret(name) ? std::string(kHidden) : formats::printable(without_end_blanks(text));
}

class Mender {
 public:
  Mender(const std::string& name, FaultList& faults) : name_(name), faults_(faults) {}

  std::string mend(std::string_view text) {
    std::string mended;
    std::size_t start = 0;
    while (start < text.size()) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      ++number_;
      mended += mend_line(text.substr(start, end - start));
      if (end < text.size()) mended += '\n';
      start = end + 1;
    }
    return mended;
  }

 private:
  std::string mend_line(std::string_view line) {
    const bool indented = !line.empty() && (line[0] == ' ' || line[0] == '\t');
    if (in_block_ && (indented || without_end_blanks(line).empty())) return std::string(line);
    in_block_ = opens_block(line);
    if (depth_ > 0) {
      depth_ += bracket_change(line);
      return std::string(line);
    }
    const std::string mended = indented ? mend_tab(line) : mend_colon(line);
    depth_ = std::max(0, depth_ + bracket_change(mended));
    return mended;
  }

  std::string mend_tab(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] == '#' ||
        line.substr(0, first).find('\t') == std::string_view::npos) {
      return std::string(line);
    }
    const std::string_view rest = without_end_blanks(line.substr(first));
    report(fmt::format("a tab before '{}'", shown(rest, rest.substr(0, name_length(rest)))),
           "remove the tab: settings stand at the left margin");
    return std::string(rest);
  }

  std::string mend_colon(std::string_view line) {
    const std::size_t length = name_length(line);
    if (length == 0 || length >= line.size()) return std::string(line);
    const std::string_view name = line.substr(0, length);
    std::string_view rest = line.substr(length);
    if (rest[0] == ':' && rest.size() > 1 && rest[1] != ' ' && rest[1] != '\t' && rest[1] != '\r') {
      report(fmt::format("'{}', without a blank after the colon", shown(line, name)),
             fmt::format("write {}: {}", name, shown(rest.substr(1), name)));
      return fmt::format("{}: {}", name, rest.substr(1));
    }
    const std::size_t sign = rest.find_first_not_of(' ');
    if (sign == std::string_view::npos || rest[sign] != '=') return std::string(line);
    std::string_view value = rest.substr(sign + 1);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    report(fmt::format("'{}', with an equals sign", shown(line, name)),
           fmt::format("write {}: {}", name, shown(value, name)));
    return fmt::format("{}: {}", name, value);
  }

  void report(std::string found, std::string remedy) {
    faults_.add({fmt::format("{}, line {}", name_, number_), std::move(found), std::move(remedy)});
  }

  const std::string& name_;
  FaultList& faults_;
  int number_ = 0;
  int depth_ = 0;
  bool in_block_ = false;
};

}  // namespace

std::string mend_yaml_slips(std::string_view text, const std::string& name, FaultList& faults) {
  return Mender(name, faults).mend(text);
}

}  // namespace hone::config
