#include "config/reading/parse_value.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "config/reading/parse_number.h"

namespace hone::config {
namespace {

ParsedValue problem(std::string found, std::string remedy) {
  return {{}, std::move(found), std::move(remedy)};
}

ParsedValue good(SettingValue value) {
  return {std::move(value), "", ""};
}

std::string trimmed(const std::string& text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  std::size_t start = 0;
  std::size_t end = text.size();
  while (start < end && is_blank(text[start])) ++start;
  while (end > start && is_blank(text[end - 1])) --end;
  return text.substr(start, end - start);
}

std::string expand_home(const std::string& path, const std::string& home) {
  if (home.empty() || path.empty() || path[0] != '~') return path;
  if (path.size() > 1 && path[1] != '/') return path;
  return home + path.substr(1);
}

ParsedValue out_of_range(const Range& limits) {
  const std::string words = describe_limits(limits);
  return problem("a number out of range",
                 words.empty() ? "write a finite number" : "write a number " + words);
}

ParsedValue octal() {
  return problem("a number with a zero in front, which YAML reads by eights", "leave the zero out");
}

ParsedValue parse_numeric(const Declaration& declaration, const std::string& text) {
  const std::optional<double> number = parse_number(text);
  if (!number) return problem("not a number", "write a number such as 1.0e-5");
  if (looks_octal(text)) return octal();
  if (!within(declaration.limits, *number)) return out_of_range(declaration.limits);
  if (declaration.kind == Kind::amount && *number > 1 && std::trunc(*number) != *number) {
    return problem("a number of steps that is not whole",
                   "write a whole number of steps, or below 1 a share of all steps");
  }
  return good(*number);
}

ParsedValue parse_whole_number(const Declaration& declaration, const std::string& text) {
  const std::optional<double> number = parse_number(text);
  const std::optional<std::int64_t> whole = parse_whole(text);
  if (number && !std::isfinite(*number)) return out_of_range(declaration.limits);
  if (!whole) return problem("not a whole number", "write a whole number such as 8");
  if (looks_octal(text)) return octal();
  if (!within(declaration.limits, static_cast<double>(*whole))) {
    return out_of_range(declaration.limits);
  }
  return good(*whole);
}

ParsedValue parse_size(const Declaration& declaration, const std::string& text) {
  const std::optional<std::int64_t> bytes = parse_bytes(text);
  const char* remedy = "write a size such as 8GiB or 800MiB; a bare number is MiB";
  if (!bytes) return problem("not a size", remedy);
  if (!within(declaration.limits, static_cast<double>(*bytes))) {
    return problem("a size out of range", remedy);
  }
  return good(*bytes);
}

ParsedValue parse_choice(const Declaration& declaration, const std::string& text) {
  std::vector<std::string> names;
  const auto known = [&](const std::string& word) -> const Choice* {
    for (const Choice& choice : declaration.choices) {
      if (choice.name == word) return &choice;
    }
    return nullptr;
  };
  const Choice* choice = known(text);
  if (choice == nullptr) {
    // YAML 1.1 and its writers turn `no` into false; and a switch may have become a choice.
    const std::optional<bool> truth = parse_boolean(text);
    if (truth == false) choice = known("no");
    if (truth == true) choice = known(declaration.true_choice);
  }
  if (choice == nullptr) {
    for (const Choice& each : declaration.choices) names.push_back(each.name);
    const std::string nearest = nearest_name(text.substr(0, 100), names);
    return problem("none of its choices",
                   (nearest.empty() ? "" : fmt::format("did you mean '{}'? Or else, ", nearest)) +
                       "the choices are: " + working_choices(declaration));
  }
  if (!choice->refused.empty()) {
    const std::size_t cut = choice->refused.find("; ");
    HONE_ASSERT(cut != std::string::npos, declaration.name, choice->name);
    return problem(choice->refused.substr(0, cut), choice->refused.substr(cut + 2));
  }
  return good(choice->name);
}

// A list where one choice is taken: all of it must be that one choice.
ParsedValue parse_choices(const Declaration& declaration, const std::vector<std::string>& items) {
  ParsedValue last;
  for (const std::string& item : items) {
    ParsedValue parsed = parse_choice(declaration, trimmed(item));
    if (!parsed.ok()) return parsed;
    if (last.value.index() != 0 && last.value != parsed.value) {
      return problem("a list", "write one of: " + working_choices(declaration));
    }
    last = std::move(parsed);
  }
  return last;
}

ParsedValue parse_items(const Declaration& declaration, const std::vector<std::string>& written,
                        const std::string& home) {
  std::vector<std::string> items;
  for (const std::string& item : written) {
    items.push_back(trimmed(item));
    if (items.back().empty()) {
      return problem("an empty name between commas", "remove the comma that is too many");
    }
    if (declaration.kind == Kind::path_list) items.back() = expand_home(items.back(), home);
  }
  return items.empty() ? ParsedValue() : good(std::move(items));
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> items;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    items.push_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  return items;
}

ParsedValue parse_path(const Declaration& declaration, const Written& written,
                       const std::string& home) {
  // A switch may have become a path: true is a value of its own then, false is unset.
  if (!declaration.true_choice.empty() && !written.quoted) {
    const std::optional<bool> truth = parse_boolean(written.text);
    if (truth) return *truth ? good(declaration.true_choice) : ParsedValue();
  }
  if (written.text.empty()) return {};
  return good(expand_home(written.text, home));
}

ParsedValue parse_scalar(const Declaration& declaration, const Written& written,
                         const std::string& home) {
  const std::string text = trimmed(written.text);
  if (!declaration.unset_word.empty() && text == declaration.unset_word) return {};
  switch (declaration.kind) {
    case Kind::boolean: {
      const std::optional<bool> truth = parse_boolean(text);
      if (!truth) return problem("neither true nor false", "write true or false");
      return good(*truth);
    }
    case Kind::whole:
      return parse_whole_number(declaration, text);
    case Kind::number:
    case Kind::amount:
      return parse_numeric(declaration, text);
    case Kind::bytes:
      return parse_size(declaration, text);
    case Kind::choice:
      return parse_choice(declaration, text);
    case Kind::path:
      return parse_path(declaration, written, home);
    case Kind::list:
    case Kind::path_list:
      return text.empty() ? ParsedValue()
                          : parse_items(declaration, split_at_commas(written.text), home);
    case Kind::mapping:
      return text.empty() ? ParsedValue() : good(expand_home(text, home));
    case Kind::text:
      return good(written.text);
  }
  return {};
}

}  // namespace

std::optional<bool> parse_boolean(const std::string& word) {
  std::string lower;
  for (char c : word) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* yes : {"true", "yes", "t", "y", "1", "on"}) {
    if (lower == yes) return true;
  }
  for (const char* no : {"false", "no", "f", "n", "0", "off"}) {
    if (lower == no) return false;
  }
  return std::nullopt;
}

ParsedValue parse_value(const Declaration& declaration, const Written& written,
                        const std::string& home) {
  const bool takes_list = declaration.kind == Kind::list || declaration.kind == Kind::path_list;
  switch (written.kind) {
    case Written::Kind::null:
      return {};
    case Written::Kind::scalar:
      return parse_scalar(declaration, written, home);
    case Written::Kind::map:
      if (declaration.kind == Kind::mapping) {
        return written.text.empty() ? ParsedValue() : good(written.json);
      }
      return problem("a nested block",
                     "write one plain value after the colon; settings are not "
                     "nested, so each stands at the left margin");
    case Written::Kind::list:
      if (takes_list) return parse_items(declaration, written.items, home);
      if (declaration.kind == Kind::choice) return parse_choices(declaration, written.items);
      return problem("a list", "write one plain value");
  }
  return {};
}

bool within(const Range& limits, double number) {
  if (!std::isfinite(number)) return false;
  if (limits.least && (limits.least_excluded ? number <= *limits.least : number < *limits.least)) {
    return false;
  }
  return !limits.most || (limits.most_excluded ? number < *limits.most : number <= *limits.most);
}

std::string describe_limits(const Range& limits) {
  std::string words;
  if (limits.least) {
    words = fmt::format("{} {}", limits.least_excluded ? "above" : "of at least", *limits.least);
  }
  if (limits.most) {
    words += fmt::format("{}{} {}", words.empty() ? "" : " and ",
                         limits.most_excluded ? "below" : "at most", *limits.most);
  }
  return words;
}

std::string working_choices(const Declaration& declaration) {
  std::string names;
  for (const Choice& choice : declaration.choices) {
    if (!choice.refused.empty()) continue;
    if (!names.empty()) names += ", ";
    names += choice.name;
  }
  return names;
}

}  // namespace hone::config
