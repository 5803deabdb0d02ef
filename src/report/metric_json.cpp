#include "report/metric_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hone::report {

formats::Value to_json(const Measured& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (is_number(value)) return to_number(value);
  return nullptr;
}

formats::Value to_json(const Metrics& metrics) {
  formats::Value object = formats::Object();
  for (const Metric& metric : metrics) object.set(metric.key, to_json(metric.value));
  return object;
}

namespace {
using formats::Value;
std::string repr(double v) {
  char b[64];
  auto r = std::to_chars(b, b + 64, v, std::chars_format::scientific);
  std::string t(b, r.ptr);
  int e = std::stoi(t.substr(t.find('e') + 1));
  if (e < -4 || e >= 16) return t;
  r = std::to_chars(b, b + 64, v, std::chars_format::fixed);
  t.assign(b, r.ptr);
  return t.find('.') == std::string::npos ? t + ".0" : t;
}
std::string dump(const Value& v, int indent, bool sort, int depth) {
  auto nl = [&](int d) {
    std::string t;
    if (indent >= 0) t.append(1, char(10)).append(static_cast<std::size_t>(indent * d), char(32));
    return t;
  };
  std::string comma = indent < 0 ? ", " : ",";
  switch (v.kind()) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::boolean:
      return v.boolean() ? "true" : "false";
    case Value::Kind::integer:
      return std::to_string(v.integer());
    case Value::Kind::number:
      return repr(v.number());
    case Value::Kind::string:
      return "\"" + v.string() + "\"";
    case Value::Kind::array: {
      if (v.array().empty()) return "[]";
      std::string t = "[";
      for (auto& x : v.array())
        t += (&x == &v.array()[0] ? "" : comma) + nl(depth + 1) + dump(x, indent, sort, depth + 1);
      return t + nl(depth) + "]";
    }
    case Value::Kind::object:
      break;
  }
  auto o = v.object();
  if (o.empty()) return "{}";
  if (sort) std::sort(o.begin(), o.end(), [](auto& a, auto& b) { return a.key < b.key; });
  std::string t = "{";
  for (auto& m : o)
    t += (&m == &o[0] ? "" : comma) + nl(depth + 1) + "\"" + m.key +
         "\": " + dump(m.value, indent, sort, depth + 1);
  return t + nl(depth) + "}";
}
}  // namespace

std::string sorted_json(const formats::Value& value, int indent) {
  return dump(value, indent, true, 0);
}
std::string one_line_json(const formats::Value& value) {
  return dump(value, -1, false, 0);
}

}  // namespace hone::report
