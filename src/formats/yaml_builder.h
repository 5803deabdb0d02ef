// Builds the tree of yaml.h from yaml-cpp's events.
#pragma once

#include <yaml-cpp/eventhandler.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/yaml.h"

namespace hone::formats {

// A line of a text, without its end; 1 is the first. Empty when there is no such line.
std::string_view source_line(std::string_view text, int line);

// One file. All refusals are UserErrors that name `file_name` and the line.
class YamlBuilder final : public YAML::EventHandler {
 public:
  // `text` is what the user wrote (it must outlive the builder), `end_mark` a comment that follows
  // it and does not occur in it.
  YamlBuilder(std::string_view text, std::string file_name, std::string end_mark)
      : text_(text), file_name_(std::move(file_name)), end_mark_(std::move(end_mark)) {}

  // The tree; null when there was no document.
  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override;
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override;

 private:
  // A list or map that is not closed yet.
  struct Level {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    bool has_key = false;  // a map whose next node is the value of `key`
    bool merging = false;  // ... and that key is `<<`
    std::string key;
    int key_line = 0;
    std::size_t key_column = 0;                  // 0 is the first
    bool block = false;                          // not in { }
    std::unordered_map<std::string, int> lines;  // of the keys so far
    std::vector<YamlNode> merged;                // what `<<` named
  };

  bool expects_key() const;
  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YamlNode::Kind kind, YAML::EmitterStyle::value style);
  void take_key(const YAML::Mark& mark, const std::string& tag, const std::string& value);
  void add(YamlNode node, YAML::anchor_t anchor);
  void add_to_map(Level& level, YamlNode node);
  void merge(Level& level);
  void count(std::size_t nodes, int line);
  [[noreturn]] void refuse(int line, const std::string& found, const std::string& remedy) const;

  void check_colon(const Level& level) const;
  void check_indentation(const Level& level, const YAML::Mark& mark) const;

  std::string_view text_;
  std::string file_name_;
  std::string end_mark_;
  YamlNode root_;
  bool has_document_ = false;
  std::vector<Level> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;  // complete ones
  std::size_t nodes_ = 0;
};

}  // namespace hone::formats
