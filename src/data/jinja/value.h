// What a chat template's expressions are about: Python's values, as far as chat
// templates use them.
//
// Texts are UTF-8 and never change. Lists, dictionaries and namespaces belong
// to the Store of a rendering and live until its end; only namespaces change,
// as transformers' sandbox has it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hone::data::jinja {

class Value;
struct Statement;
struct Frame;

struct List {
  std::vector<Value> items;
  bool tuple = false;
  int depth = 1;            // of lists and dictionaries in each other
  std::int64_t weight = 0;  // bytes, about, of what it says written out
};

struct Dict {
  std::vector<std::pair<Value, Value>> items;
  int depth = 1;
  std::int64_t weight = 0;
  const Value* find(std::string_view key) const;
};

// namespace(...): the only thing whose members can be set.
struct Namespace {
  std::vector<std::pair<std::string, Value>> members;
  const Value* find(std::string_view name) const;
};

// The variable `loop`.
struct Loop {
  const std::vector<Value>* items = nullptr;
  std::size_t index = 0;
  std::shared_ptr<const std::vector<Value>> changed;  // what loop.changed() was last given
};

struct Macro {
  const Statement* statement = nullptr;
  Frame* frame = nullptr;  // where it was defined
};

struct None {};
// A name or member that is not there; `what` is for errors.
struct Undefined {
  std::string what;
};

class Value {
 public:
  // In the order of the variant below.
  enum class Kind { undefined, none, boolean, integer, real, text, list, dict, space, loop, macro };

  Value() = default;
  Value(Undefined value) : data_(std::move(value)) {}
  Value(None value) : data_(value) {}
  Value(bool value) : data_(value) {}
  Value(std::int64_t value) : data_(value) {}
  Value(double value) : data_(value) {}
  Value(std::string value) : data_(std::make_shared<const std::string>(std::move(value))) {}
  Value(const char* value) : Value(std::string(value)) {}
  Value(const List* value) : data_(value) {}
  Value(const Dict* value) : data_(value) {}
  Value(Namespace* value) : data_(value) {}
  Value(Loop* value) : data_(value) {}
  Value(Macro value) : data_(value) {}

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool is(Kind kind) const { return this->kind() == kind; }
  // A whole number or a truth value, which counts as 0 or 1.
  bool is_whole() const { return is(Kind::integer) || is(Kind::boolean); }
  bool is_number() const { return is_whole() || is(Kind::real); }

  // Of the kind that the caller has seen.
  const std::string& undefined_name() const { return std::get<Undefined>(data_).what; }
  std::int64_t whole() const;
  double number() const;
  const std::string& text() const { return *std::get<std::shared_ptr<const std::string>>(data_); }
  const List& list() const { return *std::get<const List*>(data_); }
  const Dict& dict() const { return *std::get<const Dict*>(data_); }
  Namespace& space() const { return *std::get<Namespace*>(data_); }
  Loop& loop() const { return *std::get<Loop*>(data_); }
  const Macro& macro() const { return std::get<Macro>(data_); }

  bool truth() const;  // Python's bool()
  int depth() const;
  std::int64_t weight() const;
  bool same_object(const Value& other) const;

 private:
  std::variant<Undefined, None, bool, std::int64_t, double, std::shared_ptr<const std::string>,
               const List*, const Dict*, Namespace*, Loop*, Macro>
      data_;
};

// Python's ==.
bool equal(const Value& a, const Value& b);
// Python's <, for two numbers, texts or lists; nothing for other pairs.
enum class Order { less, equal, greater, none };
Order compare(const Value& a, const Value& b);

// Python's str() and repr(), of anything but loops and macros.
std::string to_text(const Value& value);
std::string to_repr(const Value& value);

// "a string", "a list", ...: for errors.
std::string_view describe(Value::Kind kind);

}  // namespace hone::data::jinja
