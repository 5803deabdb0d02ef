// YAML as a tree of text: what is a number or a boolean is for the reader of the tree to say.
//
// Read by yaml-cpp (YAML 1.2 syntax, which holds for 1.1 files too). Keys must be plain text and
// unique in their map; anchors, aliases and the merge key `<<` are resolved here (a key of the map
// itself wins over a merged one, an earlier merged map over a later one). Tags other than `!!str`
// are refused, as are a second document, control characters, and files over 1 MiB, trees over
// 100,000 nodes (an alias counts what it stands for) or deeper than 100 levels.
//
// Errors (UserError) name the file, line and column.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hone::formats {

struct YamlEntry;

struct YamlNode {
  // null: nothing written, `~`, or a plain `null`, `Null`, `NULL`.
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  int line = 0;         // where it starts; 1 is the first. An alias has the line of its anchor
  bool quoted = false;  // scalar in quotes, a block (| or >), or tagged !!str: always text
  std::string text;     // scalar: as written, quotes and escapes resolved
  std::vector<YamlNode> items;     // list
  std::vector<YamlEntry> entries;  // map, in the order of the file, merged keys after the map's own

  // The entry of that key; nullptr when there is none or this is not a map.
  const YamlNode* find(std::string_view key) const;
};

struct YamlEntry {
  std::string key;
  int line = 0;  // of the key
  YamlNode value;
};

// "nothing", "a value", "a list", "a map": for errors.
std::string_view describe(YamlNode::Kind kind);

// An empty file, or one of comments only, is a null node.
YamlNode read_yaml(const std::filesystem::path& file);

// The same from text; `name` stands for the file in errors.
YamlNode parse_yaml(std::string_view text, const std::string& name);

}  // namespace hone::formats
