#include "config/reading/command_line.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "config/reading/config_file.h"
#include "config/settings/declaration.h"
#include "formats/text_encoding.h"

namespace hone::config {
namespace {

constexpr const char* kPlace = "command line";
constexpr const char* kForms =
    "write settings as key=value or --key value, and put quotes around "
    "a value that holds blanks";

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool is_blank(std::string_view word) {
  return word.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Length of the name in `name=value`; 0 for other words.
std::size_t assigned_name_length(std::string_view word) {
  const std::size_t sign = word.find('=');
  if (sign == std::string_view::npos || sign == 0) return 0;
  if (std::isalpha(static_cast<unsigned char>(word[0])) == 0 && word[0] != '_') return 0;
  for (char c : word.substr(0, sign)) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-') return 0;
  }
  return sign;
}

// A word after an option that can be its value.
bool can_be_value(std::string_view word) {
  return !starts_with(word, "--") && assigned_name_length(word) == 0 && !starts_with(word, "#") &&
         (word.empty() || !is_blank(word));
}

std::string underscored(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

const Declaration* find_switch(const std::string& name) {
  const Declaration* declaration = Declarations::all().find(name);
  return declaration != nullptr && declaration->kind == Kind::boolean ? declaration : nullptr;
}

// A choice or path that was a switch once is a switch still.
bool may_stand_alone(const std::string& name) {
  const Declaration* declaration = Declarations::all().find(name);
  return declaration != nullptr &&
         (declaration->kind == Kind::boolean || !declaration->true_choice.empty());
}

Written scalar(std::string text) {
  return {Written::Kind::scalar, false, std::move(text), {}};
}

bool in_quotes(const std::string& text) {
  return text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
}

// key=value has YAML's lists, maps and quotes; an option's text is taken as it is, but lists and
// maps are lists and maps in both.
Written inline_value(const std::string& name, const std::string& text, bool option) {
  if (text == "null" || text == "Null" || text == "NULL") return {};
  const Declaration* declaration = Declarations::all().find(name);
  const bool plain_text = declaration != nullptr &&
                          (declaration->kind == Kind::text || declaration->kind == Kind::path);
  const bool structured = !plain_text && !text.empty() && (text[0] == '[' || text[0] == '{');
  if (structured || (!option && in_quotes(text))) return read_inline_value(text);
  return scalar(text);
}

// What to do about a word that is no setting.
std::string stray_remedy(const std::string& word) {
  if (is_blank(word)) {
    return "a backslash that continues a line must be its last character, without a blank after it";
  }
  if (word[0] == '#') {
    return "the shell takes no comment here; remove it, above all after a backslash";
  }
  for (std::string_view dash : {"\xE2\x80\x93", "\xE2\x80\x94", "\xE2\x88\x92"}) {
    if (starts_with(word, dash)) return "the dash was changed by a text program; write two of -";
  }
  if (word.size() > 1 && word[0] == '-' && word[1] != '-') {
    return fmt::format("options begin with two dashes: -{}", formats::printable(word));
  }
  if (names_config_file(word)) {
    return "one configuration file is read, and it comes first";
  }
  return kForms;
}

class WordReader {
 public:
  WordReader(const std::vector<std::string>& words, FaultList& faults)
      : words_(words), faults_(faults) {}

  CommandLine read() {
    if (!words_.empty() && names_config_file(words_[0]) && !starts_with(words_[0], "--") &&
        assigned_name_length(words_[0]) == 0) {
      line_.config_file = words_[next_++];
    }
    while (next_ < words_.size()) read_word(words_[next_++]);
    return std::move(line_);
  }

 private:
  void read_word(const std::string& word) {
    if (starts_with(word, "--") && word.size() > 2) {
      read_option(word.substr(2));
    } else if (const std::size_t length = assigned_name_length(word)) {
      assign(word.substr(0, length), word.substr(length + 1), false);
    } else {
      report_stray(word);
    }
  }

  void read_option(const std::string& option) {
    const std::size_t sign = option.find('=');
    const std::string name = underscored(option.substr(0, sign));
    if (sign != std::string::npos) {
      assign(name, option.substr(sign + 1), true);
      return;
    }
    if (Declarations::all().find(name) == nullptr && starts_with(name, "no_") &&
        find_switch(name.substr(3)) != nullptr) {
      add(name.substr(3), scalar("false"), true);
    } else if (next_ < words_.size() && can_be_value(words_[next_])) {
      assign(name, words_[next_++], true);
    } else if (may_stand_alone(name)) {
      add(name, scalar("true"), true);
    } else if (Declarations::all().find(name) == nullptr) {
      add(name, {}, true);  // an unknown name: that is the fault, not the missing value
    } else {
      faults_.add({fmt::format("--{} ({})", formats::printable(option), kPlace),
                   "no value after it",
                   fmt::format("write --{} and its value; a value that begins with -- needs "
                               "--{}=value",
                               name, name)});
    }
  }

  void assign(const std::string& name, const std::string& text, bool option) {
    try {
      add(name, inline_value(name, text, option), option);
    } catch (const UserError&) {
      const std::string shown = is_secret(name) ? std::string(kHidden) : formats::printable(text);
      faults_.add({fmt::format("{}: '{}' ({})", formats::printable(name), shown, kPlace),
                   "a list, map or quoted text that does not end well",
                   "write a plain value, or a list as a,b"});
    }
  }

  void add(const std::string& name, Written value, bool option) {
    line_.assignments.push_back({name, std::move(value), Source::command_line, kPlace, option});
  }

  void report_stray(const std::string& word) {
    const std::string name = underscored(word);
    if (Declarations::all().find(name) == nullptr) {
      faults_.add({fmt::format("'{}' ({})", formats::printable(word), kPlace),
                   is_blank(word) ? "a blank where a setting should be"
                                  : "a word that belongs to no setting",
                   stray_remedy(word)});
      return;
    }
    std::string value = "value";
    std::string asked = word;
    if (next_ < words_.size() && can_be_value(words_[next_])) {
      value = formats::printable(words_[next_++]);
      if (is_secret(name)) value = kHidden;
      asked += " " + value;
    }
    faults_.add({fmt::format("'{}' ({})", asked, kPlace), "a setting without = or --",
                 fmt::format("write {}={} or --{} {}", name, value, name, value)});
  }

  const std::vector<std::string>& words_;
  FaultList& faults_;
  CommandLine line_;
  std::size_t next_ = 0;
};

}  // namespace

CommandLine read_command_line(const std::vector<std::string>& words, FaultList& faults) {
  return WordReader(words, faults).read();
}

}  // namespace hone::config
