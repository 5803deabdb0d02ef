// What stands behind "|".
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "data/jinja/call.h"
#include "data/jinja/limits.h"
#include "data/jinja/text.h"

namespace hone::data::jinja {

namespace {

using Kind = Value::Kind;
using Function = Value (*)(const Value&, const Call&, Store&);

std::string written(const Value& value, const Call& call, Store& store) {
  store.charge(value.weight(), call.line);
  return to_text(value);
}

template <std::string (*Change)(std::string_view)>
Value changed(const Value& value, const Call& call, Store& store) {
  call.allow({});
  return store.text(Change(written(value, call, store)), call.line);
}

// Words begin behind white space, hyphens and opening brackets: not as
// str.title has it.
std::string headed(std::string_view text) {
  std::string out;
  bool begins = true;
  for (const std::string_view character : characters(text)) {
    out += begins ? upper(character) : lower(character);
    begins = is_space(character) ||
             (character.size() == 1 &&
              std::string_view("-({[<").find(character) != std::string_view::npos);
  }
  return out;
}

Value trim(const Value& value, const Call& call, Store& store) {
  call.allow({"chars"});
  const Value* chars = call.find(0, "chars");
  const bool given = chars != nullptr && !chars->is(Kind::none);
  const std::string text = written(value, call, store);
  return store.text(
      std::string(stripped(text, Side::both, given ? &call.text(0, "chars") : nullptr)), call.line);
}

Value size(const Value& value, const Call& call, Store& store) {
  call.allow({});
  switch (value.kind()) {
    case Kind::text:
      store.charge(value.weight() / 8, call.line);
      return length(value.text());
    case Kind::list:
      return static_cast<std::int64_t>(value.list().items.size());
    case Kind::dict:
      return static_cast<std::int64_t>(value.dict().items.size());
    case Kind::undefined:
      return std::int64_t{0};
    default:
      call.refuse(fmt::format("{} has no length", describe(value.kind())));
  }
}

Value first(const Value& value, const Call& call, Store& store) {
  call.allow({});
  const std::vector<Value> all = members_of(value, call.line, store);
  return all.empty() ? Value(Undefined{"the first item of nothing"}) : all.front();
}

Value last(const Value& value, const Call& call, Store& store) {
  call.allow({});
  const std::vector<Value> all = members_of(value, call.line, store);
  return all.empty() ? Value(Undefined{"the last item of nothing"}) : all.back();
}

Value list(const Value& value, const Call& call, Store& store) {
  call.allow({});
  return store.list(members_of(value, call.line, store), call.line);
}

Value text(const Value& value, const Call& call, Store& store) {
  call.allow({});
  return store.text(written(value, call, store), call.line);
}

Value safe(const Value& value, const Call& call, Store&) {
  call.allow({});
  return value;
}

Value usual(const Value& value, const Call& call, Store&) {
  call.allow({"default_value", "boolean"});
  const Value* also_false = call.find(1, "boolean");
  const bool missing =
      value.is(Kind::undefined) || (also_false != nullptr && also_false->truth() && !value.truth());
  if (!missing) return value;
  const Value* given = call.find(0, "default_value");
  return given == nullptr ? Value("") : *given;
}

// A member by its path: "function.name".
Value at_path(const Value& value, const std::string& path, const Call& call, Store& store) {
  Value found = value;
  for (const std::string& step : split(path, ".", -1)) {
    const bool place = !step.empty() && step.find_first_not_of("0123456789") == std::string::npos &&
                       step.size() < 10;
    found = place ? item_of(found, Value(std::int64_t{std::stoll(step)}), call.line, store)
                  : member_of(found, step, call.line);
  }
  return found;
}

Value join(const Value& value, const Call& call, Store& store) {
  call.allow({"d", "attribute"});
  const std::string separator =
      call.find(0, "d") == nullptr ? std::string() : written(*call.find(0, "d"), call, store);
  const bool by_member = call.find(1, "attribute") != nullptr;
  std::string joined;
  bool any = false;
  for (const Value& item : members_of(value, call.line, store)) {
    if (any) joined += separator;
    any = true;
    joined += written(by_member ? at_path(item, call.text(1, "attribute"), call, store) : item,
                      call, store);
    store.charge(static_cast<std::int64_t>(separator.size()), call.line);
  }
  return store.text(std::move(joined), call.line);
}

Value replace(const Value& value, const Call& call, Store& store) {
  Call method = call;
  method.allow({"old", "new", "count"});
  return call_method(Value(written(value, call, store)), method, store);
}

Value items(const Value& value, const Call& call, Store& store) {
  call.allow({});
  if (value.is(Kind::undefined)) return store.list({}, call.line);
  if (!value.is(Kind::dict)) call.refuse(fmt::format("{} has no items", describe(value.kind())));
  return call_method(value, call, store);
}

// The order of sorting: texts without regard to case, unless asked for.
class Sorting {
 public:
  Sorting(const Call& call, const Value* case_sensitive)
      : call_(call), folds_(case_sensitive == nullptr || !case_sensitive->truth()) {}

  Value key(const Value& value) const {
    return folds_ && value.is(Kind::text) ? Value(lower(value.text())) : value;
  }
  bool less(const Value& a, const Value& b) const {
    const Order order = compare(a, b);
    if (order == Order::none) {
      call_.refuse(fmt::format("{} and {} have no order", describe(a.kind()), describe(b.kind())));
    }
    return order == Order::less;
  }

 private:
  const Call& call_;
  bool folds_;
};

std::vector<Value> sorted(const std::vector<Value>& values, const std::vector<Value>& keys,
                          const Sorting& sorting, bool reverse) {
  std::vector<std::size_t> order(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return reverse ? sorting.less(keys[b], keys[a]) : sorting.less(keys[a], keys[b]);
  });
  std::vector<Value> all;
  for (const std::size_t place : order) all.push_back(values[place]);
  return all;
}

bool is_true(const Value* value) {
  return value != nullptr && value->truth();
}

Value sort(const Value& value, const Call& call, Store& store) {
  call.allow({"reverse", "case_sensitive", "attribute"});
  const Sorting sorting(call, call.find(1, "case_sensitive"));
  const std::vector<Value> values = members_of(value, call.line, store);
  const bool by_member = call.find(2, "attribute") != nullptr;
  std::vector<Value> keys;
  for (const Value& item : values) {
    keys.push_back(
        sorting.key(by_member ? at_path(item, call.text(2, "attribute"), call, store) : item));
  }
  store.charge(value.weight(), call.line);
  return store.list(sorted(values, keys, sorting, is_true(call.find(0, "reverse"))), call.line);
}

Value dict_sort(const Value& value, const Call& call, Store& store) {
  call.allow({"case_sensitive", "by", "reverse"});
  if (!value.is(Kind::dict)) call.refuse(fmt::format("{} has no items", describe(value.kind())));
  const Sorting sorting(call, call.find(0, "case_sensitive"));
  const bool by_value = call.find(1, "by") != nullptr && call.text(1, "by") == "value";
  std::vector<Value> values;
  std::vector<Value> keys;
  for (const auto& [key, item] : value.dict().items) {
    values.push_back(store.list({key, item}, call.line, true));
    keys.push_back(sorting.key(by_value ? item : key));
  }
  return store.list(sorted(values, keys, sorting, is_true(call.find(2, "reverse"))), call.line);
}

Value unique(const Value& value, const Call& call, Store& store) {
  call.allow({"case_sensitive"});
  const Sorting sorting(call, call.find(0, "case_sensitive"));
  std::vector<Value> kept;
  std::vector<Value> keys;
  for (const Value& item : members_of(value, call.line, store)) {
    Value key = sorting.key(item);
    store.charge(static_cast<std::int64_t>(keys.size()) + item.weight(), call.line);
    const auto same = [&](const Value& other) { return equal(other, key); };
    if (std::any_of(keys.begin(), keys.end(), same)) continue;
    kept.push_back(item);
    keys.push_back(std::move(key));
  }
  return store.list(std::move(kept), call.line);
}

Value reverse(const Value& value, const Call& call, Store& store) {
  call.allow({});
  std::vector<Value> all = members_of(value, call.line, store);
  std::reverse(all.begin(), all.end());
  if (!value.is(Kind::text)) return store.list(std::move(all), call.line);
  std::string text;
  for (const Value& character : all) text += character.text();
  return store.text(std::move(text), call.line);
}

// map(attribute=...) and map('filter', ...).
Value map(const Value& value, const Call& call, Store& store) {
  std::vector<Value> mapped;
  const bool by_member = call.arguments.empty();
  if (by_member) {
    call.allow({"attribute", "default"});
    call.need(0, "attribute");
  }
  Call inner = call;
  if (!by_member) {
    inner.name = call.text(0, "filter");
    inner.arguments.erase(inner.arguments.begin());
  }
  const Value* missing = by_member ? call.find(1, "default") : nullptr;
  for (const Value& item : members_of(value, call.line, store)) {
    if (!by_member) {
      mapped.push_back(apply_filter(item, inner, store));
      continue;
    }
    Value found = at_path(item, written(*call.find(0, "attribute"), call, store), call, store);
    if (missing != nullptr && found.is(Kind::undefined)) found = *missing;
    mapped.push_back(std::move(found));
  }
  return store.list(std::move(mapped), call.line);
}

// select, reject, selectattr, rejectattr: those for which the test, or truth,
// has the wanted answer.
Value chosen(const Value& value, const Call& call, Store& store) {
  const bool by_member = call.name == "selectattr" || call.name == "rejectattr";
  const bool wanted = call.name == "select" || call.name == "selectattr";
  if (!call.named.empty()) call.allow({});
  Call test = call;
  std::string path;
  if (by_member) {
    path = call.text(0, "attribute");
    test.arguments.erase(test.arguments.begin());
  }
  const bool tested = !test.arguments.empty();
  if (tested) {
    test.name = call.text(by_member ? 1 : 0, "test");
    test.arguments.erase(test.arguments.begin());
  }
  std::vector<Value> kept;
  for (const Value& item : members_of(value, call.line, store)) {
    const Value subject = by_member ? at_path(item, path, call, store) : item;
    const bool answer = tested ? apply_test(subject, test, store) : subject.truth();
    if (answer == wanted) kept.push_back(item);
  }
  return store.list(std::move(kept), call.line);
}

Value indent(const Value& value, const Call& call, Store& store) {
  call.allow({"width", "first", "blank"});
  const Value* width = call.find(0, "width");
  constexpr std::int64_t kUsual = 4;
  constexpr std::int64_t kWidest = 1000;
  std::string margin;
  if (width != nullptr && width->is(Kind::text)) {
    margin = width->text();
  } else {
    const std::int64_t columns = call.whole(0, "width", kUsual);
    if (columns > kWidest) call.refuse(fmt::format("a width of {}", columns));
    margin.assign(static_cast<std::size_t>(std::max<std::int64_t>(columns, 0)), ' ');
  }
  const bool first_too = is_true(call.find(1, "first"));
  const bool blank_too = is_true(call.find(2, "blank"));
  // Jinja adds a line end, so that one at the end of the text counts.
  const std::vector<std::string> lines = split_lines(written(value, call, store) + "\n");
  store.charge(static_cast<std::int64_t>(lines.size() * margin.size()), call.line);
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += '\n';
    if (i == 0 ? first_too : blank_too || !lines[i].empty()) text += margin;
    text += lines[i];
  }
  return store.text(std::move(text), call.line);
}

Value whole(const Value& value, const Call& call, Store&) {
  call.allow({"default", "base"});
  if (value.is_whole()) return value.whole();
  constexpr double kBeyond = 9e18;
  double number = 0;
  if (value.is(Kind::real)) {
    number = value.number();
  } else if (value.is(Kind::text)) {
    const std::string_view text = stripped(value.text(), Side::both);
    std::int64_t read = 0;
    const char* end = text.data() + text.size();
    const auto done = std::from_chars(text.data(), end, read);
    if (done.ec == std::errc() && done.ptr == end) return read;
    const auto real = std::from_chars(text.data(), end, number);
    if (real.ec != std::errc() || real.ptr != end) return call.whole(0, "default", 0);
  } else {
    return call.whole(0, "default", 0);
  }
  if (!(std::abs(number) < kBeyond)) call.refuse("a number beyond 64 bits");
  return static_cast<std::int64_t>(number);
}

Value real(const Value& value, const Call& call, Store&) {
  call.allow({"default"});
  if (value.is_number()) return value.number();
  double number = 0;
  if (value.is(Kind::text)) {
    const std::string_view text = stripped(value.text(), Side::both);
    const char* end = text.data() + text.size();
    const auto done = std::from_chars(text.data(), end, number);
    if (done.ec == std::errc() && done.ptr == end) return number;
  }
  const Value* given = call.find(0, "default");
  return given == nullptr ? Value(0.0) : *given;
}

Value absolute(const Value& value, const Call& call, Store&) {
  call.allow({});
  if (!value.is_number()) call.refuse(fmt::format("{} is no number", describe(value.kind())));
  if (value.is(Kind::real)) return std::abs(value.number());
  if (value.whole() == INT64_MIN) call.refuse("a whole number beyond 64 bits");
  return std::abs(value.whole());
}

Value extreme(const Value& value, const Call& call, Store& store) {
  call.allow({"case_sensitive"});
  const Sorting sorting(call, call.find(0, "case_sensitive"));
  const std::vector<Value> all = members_of(value, call.line, store);
  if (all.empty()) return Undefined{"an item of nothing"};
  Value best = all.front();
  for (const Value& item : all) {
    const bool better = call.name == "min" ? sorting.less(sorting.key(item), sorting.key(best))
                                           : sorting.less(sorting.key(best), sorting.key(item));
    if (better) best = item;
  }
  return best;
}

Value sum(const Value& value, const Call& call, Store& store) {
  call.allow({"attribute"});
  Value total = std::int64_t{0};
  const Value* path = call.find(0, "attribute");
  for (const Value& item : members_of(value, call.line, store)) {
    const bool by_member = path != nullptr && !path->is(Kind::none);
    total = sum_of(total, by_member ? at_path(item, call.text(0, "attribute"), call, store) : item,
                   call.line, store);
  }
  return total;
}

Value to_json(const Value& value, const Call& call, Store& store) {
  store.charge(value.weight(), call.line);
  return store.text(json_of(value, call), call.line);
}

struct NamedFilter {
  std::string_view name;
  Function function;
};

constexpr NamedFilter kFilters[] = {
    {"abs", absolute},      {"capitalize", changed<capitalized>},
    {"count", size},        {"d", usual},
    {"default", usual},     {"dictsort", dict_sort},
    {"first", first},       {"float", real},
    {"indent", indent},     {"int", whole},
    {"items", items},       {"join", join},
    {"last", last},         {"length", size},
    {"list", list},         {"lower", changed<lower>},
    {"map", map},           {"max", extreme},
    {"min", extreme},       {"reject", chosen},
    {"rejectattr", chosen}, {"replace", replace},
    {"reverse", reverse},   {"safe", safe},
    {"select", chosen},     {"selectattr", chosen},
    {"sort", sort},         {"string", text},
    {"sum", sum},           {"title", changed<headed>},
    {"tojson", to_json},    {"trim", trim},
    {"unique", unique},     {"upper", changed<upper>},
};

}  // namespace

Value apply_filter(const Value& value, const Call& call, Store& store) {
  store.step(call.line);
  for (const NamedFilter& filter : kFilters) {
    if (filter.name == call.name) return filter.function(value, call, store);
  }
  refuse(call.line, fmt::format("the filter '{}', which is not there", call.name));
}

}  // namespace hone::data::jinja
