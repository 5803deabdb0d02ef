#include "config/reading/config_file.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "config/reading/yaml_slips.h"
#include "config/reading/yaml_value.h"
#include "config/settings/declaration.h"
#include "formats/json.h"
#include "formats/json_writer.h"
#include "formats/text_encoding.h"
#include "formats/whole_file.h"
#include "formats/yaml.h"

namespace hone::config {
namespace {

using formats::Value;
using formats::YamlNode;

// The limit of the YAML reader: a larger file is no configuration.
constexpr std::size_t kMaxConfigBytes = std::size_t{4} << 20;

bool ends_with(std::string_view word, std::string_view end) {
  if (word.size() <= end.size()) return false;
  word.remove_prefix(word.size() - end.size());
  return std::equal(word.begin(), word.end(), end.begin(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

Written from_yaml(const YamlNode& node) {
  Written written;
  switch (node.kind) {
    case YamlNode::Kind::null:
      break;
    case YamlNode::Kind::scalar:
      written = {Written::Kind::scalar, node.quoted, node.text, {}};
      break;
    case YamlNode::Kind::map:
      written = {Written::Kind::map,
                 false,
                 node.entries.empty() ? "" : "{...}",
                 {},
                 formats::dump_python(yaml_value(node))};
      break;
    case YamlNode::Kind::list:
      written.kind = Written::Kind::list;
      for (const YamlNode& item : node.items) {
        if (item.kind == YamlNode::Kind::list || item.kind == YamlNode::Kind::map) {
          return {Written::Kind::map, false, "[...]", {}, formats::dump_python(yaml_value(node))};
        }
        written.items.push_back(item.text);
      }
      written.text = fmt::format("[{}]", fmt::join(written.items, ", "));
      break;
  }
  return written;
}

std::string json_scalar(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::boolean:
      return value.boolean() ? "true" : "false";
    case Value::Kind::integer:
      return std::to_string(value.integer());
    case Value::Kind::number:
      return fmt::format("{}", value.number());
    case Value::Kind::string:
      return value.string();
    default:
      return "";
  }
}

Written from_json(const Value& value) {
  if (value.is_null()) return {};
  if (const formats::Object* object = value.get_object()) {
    return {
        Written::Kind::map, false, object->empty() ? "" : "{...}", {}, formats::dump_python(value)};
  }
  const formats::Array* array = value.get_array();
  if (array == nullptr) {
    return {Written::Kind::scalar, value.is_string(), json_scalar(value), {}};
  }
  Written written;
  written.kind = Written::Kind::list;
  for (const Value& item : *array) {
    if (item.is_array() || item.is_object()) {
      return {Written::Kind::map, false, "[...]", {}, formats::dump_python(value)};
    }
    written.items.push_back(json_scalar(item));
  }
  written.text = fmt::format("[{}]", fmt::join(written.items, ", "));
  return written;
}

// Lines of the members of the outermost object, in their order; `text` is valid JSON.
std::vector<int> member_lines(std::string_view text) {
  std::vector<int> lines;
  int line = 1;
  int depth = 0;
  bool in_string = false;
  int string_line = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
      string_line = line;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ':' && depth == 1) {
      lines.push_back(string_line);
    }
  }
  return lines;
}

Fault not_a_map(const std::string& file, std::string_view found) {
  return {file, fmt::format("{} instead of settings", found),
          "write one setting a line, such as learning_rate: 1.0e-4"};
}

void read_json_text(const std::string& file, std::string_view text,
                    std::vector<Assignment>& assignments) {
  const Value root = formats::parse_json(text, file);
  const formats::Object* members = root.get_object();
  if (members == nullptr) {
    throw UserError(Fault{file, fmt::format("{} instead of settings", describe(root.kind())),
                          "write one object, such as {\"learning_rate\": 1.0e-4}"});
  }
  const std::vector<int> lines = member_lines(text);
  HONE_ASSERT(lines.size() == members->size(), lines.size(), members->size());
  for (std::size_t i = 0; i < members->size(); ++i) {
    const formats::Member& member = (*members)[i];
    assignments.push_back({member.key, from_json(member.value), Source::file,
                           fmt::format("{}, line {}", file, lines[i]), false});
  }
}

void read_yaml_text(const std::string& file, std::string_view text,
                    std::vector<Assignment>& assignments, FaultList& faults) {
  const YamlNode root = formats::parse_yaml(mend_yaml_slips(text, file, faults), file);
  if (root.kind == YamlNode::Kind::null) return;
  if (root.kind != YamlNode::Kind::map) throw UserError(not_a_map(file, describe(root.kind)));
  for (const formats::YamlEntry& entry : root.entries) {
    assignments.push_back({entry.key, from_yaml(entry.value), Source::file,
                           fmt::format("{}, line {}", file, entry.line), false});
  }
}

}  // namespace

bool names_config_file(std::string_view word) {
  return ends_with(word, ".yaml") || ends_with(word, ".yml") || ends_with(word, ".json");
}

bool read_config_file(const std::string& file, std::vector<Assignment>& assignments,
                      FaultList& faults) {
  try {
    const std::string bytes = formats::read_whole_file(file, kMaxConfigBytes);
    std::string_view text = bytes;
    formats::refuse_foreign_encoding(text.substr(0, 4), file);
    formats::refuse_invalid_utf8(text, file, 0);
    if (text.substr(0, formats::kByteOrderMark.size()) == formats::kByteOrderMark) {
      text.remove_prefix(formats::kByteOrderMark.size());
    }
    if (ends_with(file, ".json")) {
      read_json_text(file, text, assignments);
    } else {
      read_yaml_text(file, text, assignments, faults);
    }
    return true;
  } catch (const UserError& error) {
    faults.add(error);
    return false;
  }
}

Written read_inline_value(const std::string& text) {
  return from_yaml(formats::parse_yaml(text, "command line"));
}

}  // namespace hone::config
