// A small tree of what a JSON text says: null, boolean, integer, number, string, array, object.
//
// Objects keep the order of their members, and strings are UTF-8. A whole number that fits 64
// signed bits is an integer; every other number ("1.0", "1e3", one beyond 64 bits) is a number, the
// nearest f64. Asking a value for what it does not hold is a defect of the caller (InternalError):
// look at kind() or use the get_* forms, which give nullptr.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hone::formats {

class Value;
struct Member;
using Array = std::vector<Value>;
using Object = std::vector<Member>;

class Value {
 public:
  // In the order of the variant below.
  enum class Kind { null, boolean, integer, number, string, array, object };

  Value() = default;
  Value(std::nullptr_t);
  Value(bool value);
  Value(int value);
  Value(std::int64_t value);
  Value(double value);
  Value(const char* value);
  Value(std::string_view value);
  Value(std::string value);
  Value(Array value);
  Value(Object value);

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool is_null() const { return kind() == Kind::null; }
  bool is_string() const { return kind() == Kind::string; }
  bool is_array() const { return kind() == Kind::array; }
  bool is_object() const { return kind() == Kind::object; }

  bool boolean() const;
  std::int64_t integer() const;
  double number() const;  // of an integer or a number
  const std::string& string() const;
  std::string& string();
  const Array& array() const;
  Array& array();
  const Object& object() const;
  Object& object();

  // nullptr when the value is of another kind.
  const std::string* get_string() const { return std::get_if<std::string>(&data_); }
  const Array* get_array() const { return std::get_if<Array>(&data_); }
  const Object* get_object() const { return std::get_if<Object>(&data_); }

  // The member of that name; nullptr when there is none or this is not an object.
  const Value* find(std::string_view key) const;

  // Assigns the member of that name, at the end when it is new. Turns null into an object.
  void set(std::string_view key, Value value);

  bool operator==(const Value& other) const;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> data_;
};

struct Member {
  std::string key;
  Value value;

  bool operator==(const Member& other) const { return key == other.key && value == other.value; }
};

// Here, and not in the class: they need to know how to destroy a Member.
inline Value::Value(std::nullptr_t) {}
inline Value::Value(bool value) : data_(value) {}
inline Value::Value(int value) : data_(static_cast<std::int64_t>(value)) {}
inline Value::Value(std::int64_t value) : data_(value) {}
inline Value::Value(double value) : data_(value) {}
inline Value::Value(const char* value) : data_(std::string(value)) {}
inline Value::Value(std::string_view value) : data_(std::string(value)) {}
inline Value::Value(std::string value) : data_(std::move(value)) {}
inline Value::Value(Array value) : data_(std::move(value)) {}
inline Value::Value(Object value) : data_(std::move(value)) {}

// "null", "a boolean", "a whole number", "a number", "a string", "a list", "an object": for errors.
std::string_view describe(Value::Kind kind);

}  // namespace hone::formats
