#include "data/jinja/value.h"

#include <algorithm>
#include <cmath>

#include "data/jinja/text.h"
#include "data/tokenizer/json_text.h"

namespace hone::data::jinja {

const Value* Dict::find(std::string_view key) const {
  for (const auto& [name, value] : items) {
    if (name.is(Value::Kind::text) && name.text() == key) return &value;
  }
  return nullptr;
}

const Value* Namespace::find(std::string_view name) const {
  for (const auto& [key, value] : members) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::int64_t Value::whole() const {
  if (is(Kind::boolean)) return std::get<bool>(data_) ? 1 : 0;
  return std::get<std::int64_t>(data_);
}

double Value::number() const {
  if (is(Kind::real)) return std::get<double>(data_);
  return static_cast<double>(whole());
}

bool Value::truth() const {
  switch (kind()) {
    case Kind::undefined:
    case Kind::none:
      return false;
    case Kind::boolean:
    case Kind::integer:
      return whole() != 0;
    case Kind::real:
      return number() != 0;
    case Kind::text:
      return !text().empty();
    case Kind::list:
      return !list().items.empty();
    case Kind::dict:
      return !dict().items.empty();
    case Kind::space:
    case Kind::loop:
    case Kind::macro:
      break;
  }
  return true;
}

int Value::depth() const {
  if (is(Kind::list)) return list().depth;
  return is(Kind::dict) ? dict().depth : 0;
}

std::int64_t Value::weight() const {
  constexpr std::int64_t kSmall = 8;
  if (is(Kind::list)) return list().weight;
  if (is(Kind::dict)) return dict().weight;
  return is(Kind::text) ? static_cast<std::int64_t>(text().size()) + kSmall : kSmall;
}

bool Value::same_object(const Value& other) const {
  if (kind() != other.kind()) return false;
  switch (kind()) {
    case Kind::list:
      return &list() == &other.list();
    case Kind::dict:
      return &dict() == &other.dict();
    case Kind::space:
      return &space() == &other.space();
    case Kind::loop:
      return &loop() == &other.loop();
    case Kind::macro:
      return macro().statement == other.macro().statement;
    default:
      return equal(*this, other);
  }
}

namespace {

bool equal_dicts(const Dict& a, const Dict& b) {
  if (a.items.size() != b.items.size()) return false;
  return std::all_of(a.items.begin(), a.items.end(), [&](const auto& item) {
    return std::any_of(b.items.begin(), b.items.end(), [&](const auto& other) {
      return equal(item.first, other.first) && equal(item.second, other.second);
    });
  });
}

std::string joined_repr(const List& list) {
  std::string text = list.tuple ? "(" : "[";
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    if (i > 0) text += ", ";
    text += to_repr(list.items[i]);
  }
  if (list.tuple && list.items.size() == 1) text += ",";
  return text + (list.tuple ? ")" : "]");
}

std::string joined_repr(const Dict& dict) {
  std::string text = "{";
  for (const auto& [key, value] : dict.items) {
    if (text.size() > 1) text += ", ";
    text += to_repr(key) + ": " + to_repr(value);
  }
  return text + "}";
}

std::string real_text(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return json_text(formats::Value(number));
}

}  // namespace

bool equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    if (a.is_whole() && b.is_whole()) return a.whole() == b.whole();
    return a.number() == b.number();
  }
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Value::Kind::text:
      return a.text() == b.text();
    case Value::Kind::list:
      return a.list().tuple == b.list().tuple &&
             std::equal(a.list().items.begin(), a.list().items.end(), b.list().items.begin(),
                        b.list().items.end(), equal);
    case Value::Kind::dict:
      return equal_dicts(a.dict(), b.dict());
    case Value::Kind::space:
    case Value::Kind::loop:
    case Value::Kind::macro:
      return a.same_object(b);
    default:
      return true;
  }
}

Order compare(const Value& a, const Value& b) {
  const auto order_of = [](const auto& x, const auto& y) {
    if (x < y) return Order::less;
    return y < x ? Order::greater : Order::equal;
  };
  if (a.is_whole() && b.is_whole()) return order_of(a.whole(), b.whole());
  if (a.is_number() && b.is_number()) return order_of(a.number(), b.number());
  if (a.is(Value::Kind::text) && b.is(Value::Kind::text)) return order_of(a.text(), b.text());
  if (!a.is(Value::Kind::list) || !b.is(Value::Kind::list)) return Order::none;
  const std::vector<Value>& left = a.list().items;
  const std::vector<Value>& right = b.list().items;
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    if (!equal(left[i], right[i])) return compare(left[i], right[i]);
  }
  return order_of(left.size(), right.size());
}

std::string to_text(const Value& value) {
  return value.is(Value::Kind::text) ? value.text() : to_repr(value);
}

std::string to_repr(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::undefined:
      return "";
    case Value::Kind::none:
      return "None";
    case Value::Kind::boolean:
      return value.truth() ? "True" : "False";
    case Value::Kind::integer:
      return std::to_string(value.whole());
    case Value::Kind::real:
      return real_text(value.number());
    case Value::Kind::text:
      return python_quoted(value.text());
    case Value::Kind::list:
      return joined_repr(value.list());
    case Value::Kind::dict:
      return joined_repr(value.dict());
    default:
      return std::string(describe(value.kind()));
  }
}

std::string_view describe(Value::Kind kind) {
  constexpr std::string_view kNames[] = {"undefined",   "none",   "a boolean", "a whole number",
                                         "a number",    "a text", "a list",    "a dictionary",
                                         "a namespace", "a loop", "a macro"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace hone::data::jinja
