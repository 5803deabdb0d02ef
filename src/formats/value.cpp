#include "formats/value.h"

#include "base/error.h"

namespace hone::formats {

bool Value::boolean() const {
  HONE_ASSERT(kind() == Kind::boolean, describe(kind()));
  return std::get<bool>(data_);
}

std::int64_t Value::integer() const {
  HONE_ASSERT(kind() == Kind::integer, describe(kind()));
  return std::get<std::int64_t>(data_);
}

double Value::number() const {
  if (kind() == Kind::integer) return static_cast<double>(integer());
  HONE_ASSERT(kind() == Kind::number, describe(kind()));
  return std::get<double>(data_);
}

const std::string& Value::string() const {
  HONE_ASSERT(is_string(), describe(kind()));
  return std::get<std::string>(data_);
}

std::string& Value::string() {
  HONE_ASSERT(is_string(), describe(kind()));
  return std::get<std::string>(data_);
}

const Array& Value::array() const {
  HONE_ASSERT(is_array(), describe(kind()));
  return std::get<Array>(data_);
}

Array& Value::array() {
  HONE_ASSERT(is_array(), describe(kind()));
  return std::get<Array>(data_);
}

const Object& Value::object() const {
  HONE_ASSERT(is_object(), describe(kind()));
  return std::get<Object>(data_);
}

Object& Value::object() {
  HONE_ASSERT(is_object(), describe(kind()));
  return std::get<Object>(data_);
}

const Value* Value::find(std::string_view key) const {
  const Object* members = get_object();
  if (members == nullptr) return nullptr;
  for (const Member& member : *members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

void Value::set(std::string_view key, Value value) {
  if (is_null()) data_ = Object();
  for (Member& member : object()) {
    if (member.key == key) {
      member.value = std::move(value);
      return;
    }
  }
  object().push_back({std::string(key), std::move(value)});
}

bool Value::operator==(const Value& other) const {
  return data_ == other.data_;
}

std::string_view describe(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::boolean:
      return "a boolean";
    case Value::Kind::integer:
      return "a whole number";
    case Value::Kind::number:
      return "a number";
    case Value::Kind::string:
      return "a string";
    case Value::Kind::array:
      return "a list";
    case Value::Kind::object:
      return "an object";
  }
  HONE_ASSERT(false, static_cast<int>(kind));
  return "";
}

}  // namespace hone::formats
