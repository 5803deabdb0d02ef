// The arguments of a call, filter or test, and the functions that take them.
#pragma once

#include <ctime>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/jinja/store.h"
#include "data/jinja/value.h"

namespace hone::data::jinja {

struct Call {
  int line = 1;
  std::string_view name;
  std::vector<Value> arguments;
  std::vector<std::pair<std::string, Value>> named;

  // Refuses more arguments than there are names, and names that are not among
  // them.
  void allow(std::initializer_list<std::string_view> names) const;
  // The argument at that place or of that name; nullptr when it is not given.
  const Value* find(std::size_t place, std::string_view key) const;
  const Value& need(std::size_t place, std::string_view key) const;
  const std::string& text(std::size_t place, std::string_view key) const;
  std::int64_t whole(std::size_t place, std::string_view key, std::int64_t usual) const;
  [[noreturn]] void refuse(const std::string& found) const;
};

// value.name(...) of texts, lists and dictionaries, loops too.
Value call_method(const Value& value, const Call& call, Store& store);
bool is_method(const Value& value, std::string_view name);

// value | name(...)
Value apply_filter(const Value& value, const Call& call, Store& store);

// value is name(...)
bool apply_test(const Value& value, const Call& call, Store& store);
bool is_test(std::string_view name);

// raise_exception, strftime_now, namespace, range, dict. `now` is what the
// clock says.
bool is_global(std::string_view name);
Value call_global(const Call& call, const std::tm& now, Store& store);

// The members of what can be walked over: of an undefined value none. Refuses
// others.
std::vector<Value> members_of(const Value& value, int line, Store& store);
// value.name or value['name'], undefined when there is none. Refuses members of
// undefined values.
Value member_of(const Value& value, const std::string& name, int line);
Value item_of(const Value& value, const Value& key, int line, Store& store);
bool contains(const Value& container, const Value& item, int line, Store& store);
Value sum_of(const Value& a, const Value& b, int line, Store& store);
// JSON as transformers' filter tojson writes it.
std::string json_of(const Value& value, const Call& call);

}  // namespace hone::data::jinja
