#include <fmt/format.h>

#include <unordered_map>

#include "formats/json_decoder.h"
#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

// Builds the tree from events, bottom up.
class TreeBuilder final : public JsonEvents {
 public:
  TreeBuilder(std::string_view text, const JsonSource& source) : text_(text), source_(source) {}

  void null_value() override { add(Value()); }
  void boolean(bool value) override { add(Value(value)); }
  void integer(std::int64_t value) override { add(Value(value)); }
  void number(double value) override { add(Value(value)); }
  void string(std::string&& value) override { add(Value(std::move(value))); }
  void start_object() override { open_.push_back({Value(Object()), {}, {}}); }
  void start_array() override { open_.push_back({Value(Array()), {}, {}}); }
  void end_object() override { close(); }
  void end_array() override { close(); }

  void key(std::string&& name) override {
    Level& level = open_.back();
    const auto [place, is_new] = level.key_offsets.try_emplace(name, offset);
    if (!is_new) refuse_duplicate(name, place->second);
    level.key = std::move(name);
  }

  Value take() { return std::move(root_); }

 private:
  struct Level {
    Value value;
    std::string key;  // of the member that comes next
    std::unordered_map<std::string, std::size_t> key_offsets;
  };

  void add(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().value.is_array()) {
      open_.back().value.array().push_back(std::move(value));
    } else {
      open_.back().value.object().push_back({std::move(open_.back().key), std::move(value)});
    }
  }

  void close() {
    Value value = std::move(open_.back().value);
    open_.pop_back();
    add(std::move(value));
  }

  [[noreturn]] void refuse_duplicate(const std::string& name, std::size_t first_offset) const {
    const std::size_t first_line = source_.line + position_of(text_, first_offset).line - 1;
    throw UserError({describe_place(source_, text_, offset),
                     fmt::format("the key \"{}\" a second time (first on line {})", printable(name),
                                 first_line),
                     "keep one of the two"});
  }

  std::string_view text_;
  const JsonSource& source_;
  Value root_;
  std::vector<Level> open_;
};

}  // namespace

Value decode_slowly(std::string_view text, const JsonSource& source) {
  TreeBuilder builder(text, source);
  read_json_events(text, source, builder);
  return builder.take();
}

}  // namespace hone::formats
