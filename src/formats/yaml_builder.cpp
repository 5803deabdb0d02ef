#include "formats/yaml_builder.h"

#include <fmt/format.h>
#include <yaml-cpp/mark.h>

#include <algorithm>

#include "base/error.h"
#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

constexpr std::size_t kMaxNodes = 100'000;
constexpr std::size_t kMaxDepth = 100;

int line_of(const YAML::Mark& mark) {
  return mark.line + 1;
}

// yaml-cpp gives "?" for plain scalars and untagged collections, "!" for quoted and block scalars.
bool is_text_tag(const std::string& tag) {
  return tag == "!" || tag == "tag:yaml.org,2002:str";
}

bool is_untagged(const std::string& tag) {
  return tag.empty() || tag == "?";
}

std::size_t size_of(const YamlNode& node) {
  std::size_t nodes = 1;
  for (const YamlNode& item : node.items) nodes += size_of(item);
  for (const YamlEntry& entry : node.entries) nodes += size_of(entry.value);
  return nodes;
}

// Bytes that a key takes where it is written, at the start of `rest`; all of it when the key does
// not end on this line.
std::size_t written_key_length(std::string_view rest, std::string_view key) {
  const char quote = rest[0];
  if (quote != '"' && quote != '\'') {
    return rest.substr(0, key.size()) == key ? key.size() : rest.size();
  }
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] == '\\' && quote == '"') {
      ++at;
    } else if (rest[at] == quote) {
      const bool doubled = quote == '\'' && at + 1 < rest.size() && rest[at + 1] == quote;
      if (!doubled) return at + 1;
      ++at;
    }
  }
  return rest.size();
}

}  // namespace

std::string_view source_line(std::string_view text, int line) {
  if (line < 1) return "";
  for (int skipped = 1; skipped < line; ++skipped) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

void YamlBuilder::refuse(int line, const std::string& found, const std::string& remedy) const {
  throw UserError({fmt::format("YAML: {}, line {}", file_name_, line), found, remedy});
}

void YamlBuilder::count(std::size_t nodes, int line) {
  nodes_ += nodes;
  if (nodes_ <= kMaxNodes) return;
  refuse(line,
         fmt::format("more than {} values, aliases counted as what they stand for", kMaxNodes),
         "make the file smaller");
}

bool YamlBuilder::expects_key() const {
  return !open_.empty() && open_.back().node.kind == YamlNode::Kind::map && !open_.back().has_key;
}

void YamlBuilder::OnDocumentStart(const YAML::Mark& mark) {
  if (has_document_) {
    refuse(line_of(mark), "a second document (after '---' or '...')",
           "keep one document in the file");
  }
  has_document_ = true;
}

void YamlBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (expects_key()) refuse(line_of(mark), "nothing in the place of a key", "give the key a name");
  if (!open_.empty() && open_.back().has_key) check_colon(open_.back());
  YamlNode node;
  node.line = line_of(mark);
  add(std::move(node), anchor);
}

// yaml-cpp reads a line that is a word and no more ("do_train") as a key with nothing in it.
void YamlBuilder::check_colon(const Level& level) const {
  if (!level.block) return;
  const std::string_view line = source_line(text_, level.key_line);
  if (level.key_column >= line.size()) return;
  const std::string_view rest = line.substr(level.key_column);
  if (rest[0] == '&' || rest[0] == '!') return;  // an anchor or a tag in front of the key
  const std::size_t after = written_key_length(rest, level.key);
  const std::size_t next = rest.find_first_not_of(" \t\r", after);
  if (next != std::string_view::npos && rest[next] == ':') return;
  refuse(level.key_line, fmt::format("'{}' without ':' and a value", printable(level.key)),
         "write it as key: value");
}

// yaml-cpp takes a value that stands on a line of its own without being indented.
void YamlBuilder::check_indentation(const Level& level, const YAML::Mark& mark) const {
  const bool own_line = level.has_key && level.block && line_of(mark) > level.key_line;
  if (!own_line || static_cast<std::size_t>(mark.column) > level.key_column) return;
  refuse(line_of(mark), fmt::format("the value of '{}' without indentation", printable(level.key)),
         "write it behind the colon, or indent it; or give this line a key and a colon");
}

void YamlBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (expects_key()) refuse(line_of(mark), "an alias in the place of a key", "write the key out");
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) {
    refuse(line_of(mark), "an alias inside of what it stands for", "write the value out");
  }
  count(size_of(found->second), line_of(mark));
  add(found->second, 0);
}

void YamlBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  if (!is_untagged(tag) && !is_text_tag(tag)) {
    refuse(line_of(mark), fmt::format("the tag {}", printable(tag)), "remove the tag");
  }
  if (value.find(end_mark_) != std::string::npos) {
    refuse(line_of(mark), "a quotation mark that is not closed", "close it");
  }
  if (expects_key()) return take_key(mark, tag, value);
  if (!open_.empty()) check_indentation(open_.back(), mark);
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.line = line_of(mark);
  node.quoted = is_text_tag(tag);
  node.text = value;
  add(std::move(node), anchor);
}

void YamlBuilder::take_key(const YAML::Mark& mark, const std::string& tag,
                           const std::string& value) {
  Level& level = open_.back();
  level.key = value;
  level.key_line = line_of(mark);
  level.key_column = static_cast<std::size_t>(std::max(mark.column, 0));
  level.has_key = true;
  level.merging = value == "<<" && is_untagged(tag);
  if (level.merging) return;
  const auto [place, is_new] = level.lines.try_emplace(value, level.key_line);
  if (is_new) return;
  refuse(
      level.key_line,
      fmt::format("the key '{}' a second time (first on line {})", printable(value), place->second),
      "keep one of the two");
}

void YamlBuilder::open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YamlNode::Kind kind, YAML::EmitterStyle::value style) {
  if (expects_key()) {
    refuse(line_of(mark), fmt::format("{} in the place of a key", describe(kind)),
           "a key must be plain text; quote a value that starts with { or [");
  }
  const bool fits =
      kind == YamlNode::Kind::map ? tag == "tag:yaml.org,2002:map" : tag == "tag:yaml.org,2002:seq";
  if (!is_untagged(tag) && tag != "!" && !fits) {
    refuse(line_of(mark), fmt::format("the tag {}", printable(tag)), "remove the tag");
  }
  if (open_.size() >= kMaxDepth) {
    refuse(line_of(mark), fmt::format("nesting deeper than {} levels", kMaxDepth),
           "make the file flatter");
  }
  Level level;
  level.node.kind = kind;
  level.node.line = line_of(mark);
  level.anchor = anchor;
  level.block = style != YAML::EmitterStyle::Flow;
  open_.push_back(std::move(level));
}

void YamlBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                  YAML::anchor_t anchor, YAML::EmitterStyle::value style) {
  open(mark, tag, anchor, YamlNode::Kind::list, style);
}

void YamlBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value style) {
  open(mark, tag, anchor, YamlNode::Kind::map, style);
}

void YamlBuilder::OnSequenceEnd() {
  Level level = std::move(open_.back());
  open_.pop_back();
  add(std::move(level.node), level.anchor);
}

void YamlBuilder::OnMapEnd() {
  merge(open_.back());
  Level level = std::move(open_.back());
  open_.pop_back();
  add(std::move(level.node), level.anchor);
}

void YamlBuilder::merge(Level& level) {
  for (YamlNode& source : level.merged) {
    for (YamlEntry& entry : source.entries) {
      if (!level.lines.try_emplace(entry.key, entry.line).second) continue;
      level.node.entries.push_back(std::move(entry));
    }
  }
}

void YamlBuilder::add(YamlNode node, YAML::anchor_t anchor) {
  count(1, node.line);
  if (anchor != 0) {
    count(size_of(node), node.line);
    anchors_[anchor] = node;
  }
  if (open_.empty()) {
    root_ = std::move(node);
  } else if (open_.back().node.kind == YamlNode::Kind::list) {
    open_.back().node.items.push_back(std::move(node));
  } else {
    add_to_map(open_.back(), std::move(node));
  }
}

void YamlBuilder::add_to_map(Level& level, YamlNode node) {
  level.has_key = false;
  if (!level.merging) {
    level.node.entries.push_back({std::move(level.key), level.key_line, std::move(node)});
    return;
  }
  std::vector<YamlNode> sources;
  if (node.kind == YamlNode::Kind::list) {
    sources = std::move(node.items);
  } else {
    sources.push_back(std::move(node));
  }
  for (YamlNode& source : sources) {
    if (source.kind != YamlNode::Kind::map) {
      refuse(level.key_line, fmt::format("{} after the merge key <<", describe(source.kind)),
             "give it a map, or a list of maps");
    }
    level.merged.push_back(std::move(source));
  }
}

}  // namespace hone::formats
