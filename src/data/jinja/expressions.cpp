// Expressions of a chat template.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/jinja/evaluator.h"
#include "data/jinja/limits.h"

namespace hone::data::jinja {

using Kind = Expression::Kind;

Evaluator::Step::Step(Evaluator& evaluator, int line) : evaluator_(evaluator) {
  evaluator.store_.step(line);
  if (evaluator.depth_ >= kDeepestWork) {
    refuse(line, fmt::format("work that is nested more than {} deep", kDeepestWork));
  }
  ++evaluator.depth_;
}

Value Evaluator::value(const Expression& expression) {
  const Step step(*this, expression.line);
  switch (expression.kind) {
    case Kind::constant:
      return expression.constant;
    case Kind::name:
      if (const Value* found = frame_->find(expression.name)) return *found;
      if (is_global(expression.name)) return Macro{};  // so that it is defined
      return Undefined{fmt::format("'{}'", expression.name)};
    case Kind::list:
      return store_.list(values(expression.parts, 0), expression.line);
    case Kind::tuple:
      return store_.list(values(expression.parts, 0), expression.line, true);
    case Kind::dict:
      return dict(expression);
    case Kind::attribute: {
      const Value owner = value(*expression.parts[0]);
      if (is_method(owner, expression.name)) {
        refuse(expression.line,
               fmt::format("the method '{}' without a call, which is not there", expression.name));
      }
      return member_of(owner, expression.name, expression.line);
    }
    case Kind::item: {
      const Value owner = value(*expression.parts[0]);
      return item_of(owner, value(*expression.parts[1]), expression.line, store_);
    }
    case Kind::slice:
      return slice(expression);
    case Kind::call:
      return call(expression);
    case Kind::filter: {
      const Value subject = value(*expression.parts[0]);
      return apply_filter(subject, arguments(expression, expression.name), store_);
    }
    case Kind::test:
      return test(expression);
    case Kind::unary:
      return unary(expression);
    case Kind::binary:
      return binary(expression);
    case Kind::compare:
      return compared(expression);
    case Kind::choice:
      if (value(*expression.parts[1]).truth()) return value(*expression.parts[0]);
      if (expression.parts[2]) return value(*expression.parts[2]);
      return Undefined{"a choice without 'else'"};
  }
  return {};
}

Value Evaluator::optional(const ExpressionPtr& expression) {
  return expression ? value(*expression) : Value(None{});
}

std::vector<Value> Evaluator::values(const std::vector<ExpressionPtr>& parts, std::size_t from) {
  std::vector<Value> all;
  for (std::size_t i = from; i < parts.size(); ++i) all.push_back(value(*parts[i]));
  return all;
}

Value Evaluator::dict(const Expression& expression) {
  std::vector<std::pair<Value, Value>> items;
  for (std::size_t i = 0; i < expression.parts.size(); i += 2) {
    Value key = value(*expression.parts[i]);
    Value item = value(*expression.parts[i + 1]);
    const auto same = [&](const auto& other) { return equal(other.first, key); };
    const auto known = std::find_if(items.begin(), items.end(), same);
    if (known == items.end()) {
      items.emplace_back(std::move(key), std::move(item));
    } else {
      known->second = std::move(item);
    }
  }
  return store_.dict(std::move(items), expression.line);
}

Value Evaluator::unary(const Expression& expression) {
  const Value operand = value(*expression.parts[0]);
  if (expression.name == "not") return !operand.truth();
  if (!operand.is_number()) {
    refuse(expression.line, fmt::format("'{}' of {}", expression.name, describe(operand.kind())));
  }
  if (operand.is(Value::Kind::real)) {
    return expression.name == "-" ? -operand.number() : operand.number();
  }
  return arithmetic(expression.name, Value(std::int64_t{0}), operand, expression.line);
}

Value Evaluator::binary(const Expression& expression) {
  const std::string& sign = expression.name;
  const Value left = value(*expression.parts[0]);
  if (sign == "and" || sign == "or") {
    return left.truth() == (sign == "or") ? left : value(*expression.parts[1]);
  }
  const Value right = value(*expression.parts[1]);
  if (sign == "~") {
    store_.charge(left.weight() + right.weight(), expression.line);
    return store_.text(to_text(left) + to_text(right), expression.line);
  }
  if (sign == "+") return sum_of(left, right, expression.line, store_);
  return arithmetic(sign, left, right, expression.line);
}

namespace {

// `result` by reference: it is written by the sibling argument.
std::int64_t checked(bool overflow, const std::int64_t& result, int line) {
  if (overflow) refuse(line, "a whole number beyond 64 bits");
  return result;
}

// Python's division of whole numbers: towards minus infinity.
std::int64_t floor_divided(std::int64_t a, std::int64_t b, int line) {
  if (b == -1) {
    std::int64_t result = 0;
    const bool overflow = __builtin_sub_overflow(std::int64_t{0}, a, &result);
    return checked(overflow, result, line);
  }
  return a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
}

Value whole_power(std::int64_t base, std::int64_t exponent, int line) {
  if (exponent < 0) return std::pow(static_cast<double>(base), static_cast<double>(exponent));
  std::int64_t result = 1;
  constexpr std::int64_t kMostFactors = 64;
  if (exponent > kMostFactors && base != 0 && base != 1 && base != -1) {
    refuse(line, "a whole number beyond 64 bits");
  }
  if (exponent > kMostFactors) return exponent % 2 == 0 ? base * base : base;
  for (std::int64_t i = 0; i < exponent; ++i) {
    result = checked(__builtin_mul_overflow(result, base, &result), result, line);
  }
  return result;
}

Value whole_result(const std::string& sign, std::int64_t a, std::int64_t b, int line) {
  std::int64_t result = 0;
  if (sign == "+") return checked(__builtin_add_overflow(a, b, &result), result, line);
  if (sign == "-") return checked(__builtin_sub_overflow(a, b, &result), result, line);
  if (sign == "*") return checked(__builtin_mul_overflow(a, b, &result), result, line);
  if (sign == "**") return whole_power(a, b, line);
  if (b == 0) refuse(line, "a division by 0");
  if (sign == "/") return static_cast<double>(a) / static_cast<double>(b);
  const std::int64_t quotient = floor_divided(a, b, line);
  return sign == "//" ? quotient : a - quotient * b;
}

Value real_result(const std::string& sign, double a, double b, int line) {
  if (sign == "-") return a - b;
  if (sign == "*") return a * b;
  if (sign == "**") return std::pow(a, b);
  if (b == 0) refuse(line, "a division by 0");
  if (sign == "/") return a / b;
  const double quotient = std::floor(a / b);
  return sign == "//" ? quotient : a - quotient * b;
}

}  // namespace

Value Evaluator::arithmetic(const std::string& sign, const Value& a, const Value& b, int line) {
  for (const Value* operand : {&a, &b}) {
    if (operand->is(Value::Kind::undefined)) {
      refuse(line, fmt::format("'{}': {} is undefined", sign, operand->undefined_name()));
    }
  }
  if (a.is_whole() && b.is_whole()) return whole_result(sign, a.whole(), b.whole(), line);
  if (a.is_number() && b.is_number()) return real_result(sign, a.number(), b.number(), line);
  const bool repeats = sign == "*" && a.is(Value::Kind::text) && b.is_whole();
  if (!repeats) {
    refuse(line, fmt::format("'{}' of {} and {}", sign, describe(a.kind()), describe(b.kind())));
  }
  const std::int64_t times = std::max<std::int64_t>(b.whole(), 0);
  std::int64_t bytes = 0;
  const auto length = static_cast<std::int64_t>(a.text().size());
  store_.charge(checked(__builtin_mul_overflow(length, times, &bytes), bytes, line), line);
  std::string text;
  for (std::int64_t i = 0; i < times && length > 0; ++i) text += a.text();
  return Value(std::move(text));
}

bool Evaluator::compared(const Expression& expression) {
  Value left = value(*expression.parts[0]);
  for (std::size_t i = 0; i < expression.names.size(); ++i) {
    Value right = value(*expression.parts[i + 1]);
    if (!compared(expression.names[i], left, right, expression.line)) return false;
    left = std::move(right);
  }
  return true;
}

bool Evaluator::compared(const std::string& sign, const Value& a, const Value& b, int line) {
  if (sign == "in") return contains(b, a, line, store_);
  if (sign == "not in") return !contains(b, a, line, store_);
  if (a.depth() > 0 && b.depth() > 0) store_.charge(std::min(a.weight(), b.weight()), line);
  if (sign == "==") return equal(a, b);
  if (sign == "!=") return !equal(a, b);
  const Order order = compare(a, b);
  if (order == Order::none) {
    refuse(line,
           fmt::format("'{}' between {} and {}", sign, describe(a.kind()), describe(b.kind())));
  }
  if (sign == "<") return order == Order::less;
  if (sign == "<=") return order != Order::greater;
  return sign == ">" ? order == Order::greater : order != Order::less;
}

Value Evaluator::test(const Expression& expression) {
  const Call given = arguments(expression, expression.name);
  return apply_test(value(*expression.parts[0]), given, store_);
}

namespace {

// Where a slice begins and ends, as Python has it.
std::int64_t clamped(const Value& bound, std::int64_t usual, std::int64_t low, std::int64_t high,
                     std::int64_t count, int line) {
  if (bound.is(Value::Kind::none)) return usual;
  if (!bound.is_whole()) {
    refuse(line, fmt::format("{} as a bound of a slice", describe(bound.kind())));
  }
  const std::int64_t place = bound.whole();
  return std::clamp(place < 0 ? place + count : place, low, high);
}

}  // namespace

Value Evaluator::slice(const Expression& expression) {
  const int line = expression.line;
  const Value owner = value(*expression.parts[0]);
  const Value bounds[] = {optional(expression.parts[1]), optional(expression.parts[2]),
                          optional(expression.parts[3])};
  const bool text = owner.is(Value::Kind::text);
  if (!text && !owner.is(Value::Kind::list)) {
    refuse(line, fmt::format("a slice of {}", describe(owner.kind())));
  }
  const std::vector<Value> all = members_of(owner, line, store_);
  const auto count = static_cast<std::int64_t>(all.size());
  constexpr std::int64_t kFarthest = INT32_MAX;
  const std::int64_t step = clamped(bounds[2], 1, -kFarthest, kFarthest, 0, line);
  if (step == 0) refuse(line, "a slice with steps of 0");
  const bool up = step > 0;
  const std::int64_t low = up ? 0 : -1;
  const std::int64_t high = up ? count : count - 1;
  const std::int64_t begin = clamped(bounds[0], up ? low : high, low, high, count, line);
  const std::int64_t end = clamped(bounds[1], up ? high : low, low, high, count, line);
  std::vector<Value> part;
  for (std::int64_t i = begin; up ? i < end : i > end; i += step) {
    part.push_back(all[static_cast<std::size_t>(i)]);
  }
  if (!text) return store_.list(std::move(part), line, owner.list().tuple);
  std::string joined;
  for (const Value& character : part) joined += character.text();
  return store_.text(std::move(joined), line);
}

}  // namespace hone::data::jinja
