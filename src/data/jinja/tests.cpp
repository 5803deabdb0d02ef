// What stands behind "is".
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "data/jinja/call.h"
#include "data/jinja/limits.h"
#include "data/jinja/text.h"

namespace hone::data::jinja {

namespace {

using Kind = Value::Kind;

constexpr std::array<std::string_view, 31> kTests = {
    "defined", "undefined", "none",        "string",  "number",      "integer",  "float",
    "boolean", "true",      "false",       "mapping", "iterable",    "sequence", "callable",
    "odd",     "even",      "divisibleby", "eq",      "equalto",     "==",       "ne",
    "!=",      "lt",        "lessthan",    "gt",      "greaterthan", "le",       "ge",
    "in",      "sameas",    "upper"};

bool is_odd(const Value& value, const Call& call) {
  if (!value.is_whole()) call.refuse(fmt::format("{} is no whole number", describe(value.kind())));
  return value.whole() % 2 != 0;
}

bool is_divisible(const Value& value, const Call& call) {
  const std::int64_t by = call.whole(0, "num", 0);
  if (by == 0 || !value.is_whole()) call.refuse("it is for whole numbers, not divided by 0");
  return by == -1 || value.whole() % by == 0;
}

bool in_order(const Value& value, const Call& call) {
  const Order order = compare(value, call.need(0, "other"));
  if (order == Order::none) {
    call.refuse(fmt::format("{} and {} have no order", describe(value.kind()),
                            describe(call.need(0, "other").kind())));
  }
  if (call.name == "lt" || call.name == "lessthan") return order == Order::less;
  if (call.name == "gt" || call.name == "greaterthan") return order == Order::greater;
  return call.name == "le" ? order != Order::greater : order != Order::less;
}

bool of_kind(const Value& value, std::string_view name) {
  if (name == "defined") return !value.is(Kind::undefined);
  if (name == "undefined") return value.is(Kind::undefined);
  if (name == "none") return value.is(Kind::none);
  if (name == "string") return value.is(Kind::text);
  if (name == "number") return value.is_number();
  if (name == "integer") return value.is(Kind::integer);
  if (name == "float") return value.is(Kind::real);
  if (name == "boolean") return value.is(Kind::boolean);
  if (name == "true") return value.is(Kind::boolean) && value.truth();
  if (name == "false") return value.is(Kind::boolean) && !value.truth();
  if (name == "mapping") return value.is(Kind::dict);
  if (name == "callable") return value.is(Kind::macro);
  const bool sequence = value.is(Kind::text) || value.is(Kind::list) || value.is(Kind::dict);
  // An undefined value can be walked over: it has no members.
  return sequence || value.is(Kind::undefined) || (name == "iterable" && value.is(Kind::loop));
}

}  // namespace

bool is_test(std::string_view name) {
  return name == "lower" || std::find(kTests.begin(), kTests.end(), name) != kTests.end();
}

bool apply_test(const Value& value, const Call& call, Store& store) {
  const std::string_view name = call.name;
  if (!is_test(name)) {
    refuse(call.line, fmt::format("the test '{}', which is not there", name));
  }
  if (name == "eq" || name == "equalto" || name == "==") return equal(value, call.need(0, "other"));
  if (name == "ne" || name == "!=") return !equal(value, call.need(0, "other"));
  if (name == "in") return contains(call.need(0, "seq"), value, call.line, store);
  if (name == "sameas") return value.same_object(call.need(0, "other"));
  if (name == "odd") return is_odd(value, call);
  if (name == "even") return !is_odd(value, call);
  if (name == "divisibleby") return is_divisible(value, call);
  if (name == "lt" || name == "lessthan" || name == "gt" || name == "greaterthan" || name == "le" ||
      name == "ge") {
    return in_order(value, call);
  }
  if (name == "upper" || name == "lower") {
    const std::string text = to_text(value);
    return upper(text) != lower(text) && text == (name == "upper" ? upper(text) : lower(text));
  }
  call.allow({});
  return of_kind(value, name);
}

}  // namespace hone::data::jinja
