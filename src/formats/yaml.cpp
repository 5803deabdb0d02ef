#include "formats/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "formats/regular_file.h"
#include "formats/text_encoding.h"
#include "formats/whole_file.h"
#include "formats/yaml_builder.h"

namespace hone::formats {
namespace {

constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 20;

bool indented_by_tab(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return line.substr(0, first).find('\t') != std::string_view::npos;
}

void refuse_control_characters(std::string_view text, const std::string& name) {
  for (std::size_t offset = 0; offset < text.size(); ++offset) {
    const unsigned char letter = static_cast<unsigned char>(text[offset]);
    const bool allowed = letter >= 0x20 || letter == '\t' || letter == '\n' || letter == '\r';
    if (allowed && letter != 0x7F) continue;
    const TextPosition at = position_of(text, offset);
    throw UserError({fmt::format("YAML: {}, line {}, column {}", name, at.line, at.column),
                     fmt::format("control character 0x{:02X}", letter),
                     "remove it, or write it as an escape in double quotes"});
  }
}

std::string unused_comment(std::string_view text) {
  std::string comment = "#end";
  while (text.find(comment) != std::string_view::npos) comment += '-';
  return comment;
}

// The parser's sentences that say little, in other words.
std::string reason_of(const std::string& message) {
  constexpr std::pair<const char*, const char*> kOther[] = {
      {"illegal map value", "a ':' where no key can stand"},
      {"end of map not found", "text where a key and ':' are expected"},
      {"end of sequence not found", "text where '- ' or the end of the list is expected"},
      {"end of map flow not found", "a '{' that is not closed"},
      {"end of sequence flow not found", "a '[' that is not closed"},
  };
  for (const auto& [theirs, ours] : kOther) {
    if (message == theirs) return ours;
  }
  return printable(message);
}

// The parser's complaint as ours. Its marks count from 0, and may lie behind the last line.
UserError explain(const YAML::ParserException& error, std::string_view text,
                  const std::string& name) {
  const int lines = static_cast<int>(position_of(text, text.size()).line);
  const int line = std::min(error.mark.line + 1, lines);
  const bool tab =
      indented_by_tab(source_line(text, line)) || indented_by_tab(source_line(text, line - 1));
  const std::string found = tab ? "a tab in the indentation" : reason_of(error.msg);
  const std::string remedy =
      tab ? "indent with spaces only"
          : "correct the file there: look at the indentation, at ': ' after keys, and at quotes";
  return UserError({fmt::format("YAML: {}, line {}, column {}", name, line, error.mark.column + 1),
                    found, remedy});
}

YamlNode build(std::string_view text, const std::string& name, const std::string& end_mark,
               const std::string& suffix) {
  std::istringstream stream{std::string(text) + suffix};
  YamlBuilder builder(text, name, end_mark);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::ParserException& error) {
    throw explain(error, text, name);
  }
  return builder.take();
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

std::string_view describe(YamlNode::Kind kind) {
  switch (kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::scalar:
      return "a value";
    case YamlNode::Kind::list:
      return "a list";
    case YamlNode::Kind::map:
      return "a map";
  }
  HONE_ASSERT(false, static_cast<int>(kind));
  return "";
}

YamlNode read_yaml(const std::filesystem::path& file) {
  return parse_yaml(read_whole_file(file, kMaxYamlBytes), shown_path(file));
}

YamlNode parse_yaml(std::string_view text, const std::string& name) {
  refuse_foreign_encoding(text.substr(0, 4), name);
  refuse_invalid_utf8(text, name, 0);
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  refuse_control_characters(text, name);
  // yaml-cpp takes the end of the file for the end of a quoted text. A comment at the very end
  // tells the two apart: inside quotes it becomes part of the text.
  const std::string end_mark = unused_comment(text);
  YamlNode tree = build(text, name, end_mark, "\n" + end_mark + "\n");
  // Without a line end at its end, a block text at the end of the file has none either.
  if (text.empty() || text.back() == '\n') return tree;
  return build(text, name, end_mark, "");
}

}  // namespace hone::formats
