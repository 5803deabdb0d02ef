#include "config/reading/yaml_value.h"

#include <utility>

#include "config/reading/parse_number.h"

namespace hone::config {
namespace {

using formats::Value;
using formats::YamlNode;

Value scalar_value(const YamlNode& node) {
  const std::string& text = node.text;
  if (node.quoted) return Value(text);
  if (text == "true" || text == "True" || text == "TRUE") return Value(true);
  if (text == "false" || text == "False" || text == "FALSE") return Value(false);
  const bool digits_only = text.find_first_not_of("+-0123456789") == std::string::npos;
  if (digits_only) {
    if (const auto whole = parse_whole(text)) return Value(*whole);
  }
  if (const auto number = parse_number(text)) return Value(*number);
  return Value(text);
}

}  // namespace

Value yaml_value(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return Value();
    case YamlNode::Kind::scalar:
      return scalar_value(node);
    case YamlNode::Kind::list: {
      formats::Array items;
      for (const YamlNode& item : node.items) items.push_back(yaml_value(item));
      return Value(std::move(items));
    }
    case YamlNode::Kind::map: {
      formats::Object members;
      for (const formats::YamlEntry& entry : node.entries) {
        members.push_back({entry.key, yaml_value(entry.value)});
      }
      return Value(std::move(members));
    }
  }
  return Value();
}

}  // namespace hone::config
