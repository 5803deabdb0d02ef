#include "data/jinja/call.h"

#include <algorithm>

#include <fmt/format.h>

#include "data/jinja/limits.h"
#include "data/jinja/text.h"

namespace hone::data::jinja {

void Call::refuse(const std::string& found) const {
  jinja::refuse(line, fmt::format("{}: {}", name, found));
}

void Call::allow(std::initializer_list<std::string_view> names) const {
  if (arguments.size() > names.size()) {
    refuse(fmt::format("{} arguments, where it has {}", arguments.size(), names.size()));
  }
  for (const auto& [given, value] : named) {
    if (std::find(names.begin(), names.end(), given) == names.end()) {
      refuse(fmt::format("the argument '{}', which is not there", given));
    }
  }
}

const Value* Call::find(std::size_t place, std::string_view key) const {
  if (place < arguments.size()) return &arguments[place];
  for (const auto& [given, value] : named) {
    if (given == key) return &value;
  }
  return nullptr;
}

const Value& Call::need(std::size_t place, std::string_view key) const {
  const Value* found = find(place, key);
  if (found == nullptr) refuse(fmt::format("no argument '{}'", key));
  return *found;
}

const std::string& Call::text(std::size_t place, std::string_view key) const {
  const Value& found = need(place, key);
  if (!found.is(Value::Kind::text)) {
    refuse(fmt::format("{} where a text belongs", describe(found.kind())));
  }
  return found.text();
}

std::int64_t Call::whole(std::size_t place, std::string_view key, std::int64_t usual) const {
  const Value* found = find(place, key);
  if (found == nullptr || found->is(Value::Kind::none)) return usual;
  if (!found->is_whole()) {
    refuse(fmt::format("{} where a whole number belongs", describe(found->kind())));
  }
  return found->whole();
}

std::vector<Value> members_of(const Value& value, int line, Store& store) {
  std::vector<Value> members;
  switch (value.kind()) {
    case Value::Kind::undefined:
      return members;
    case Value::Kind::list:
      members = value.list().items;
      break;
    case Value::Kind::dict:
      for (const auto& [key, item] : value.dict().items) members.push_back(key);
      break;
    case Value::Kind::text:
      for (const std::string_view character : characters(value.text())) {
        members.emplace_back(std::string(character));
      }
      break;
    default:
      refuse(line, fmt::format("{} where a list belongs", describe(value.kind())));
  }
  constexpr std::int64_t kEach = 64;
  store.charge(static_cast<std::int64_t>(members.size()) * kEach, line);
  return members;
}

namespace {

Value loop_member(const Loop& loop, const std::string& name, int line) {
  const auto count = static_cast<std::int64_t>(loop.items->size());
  const auto index = static_cast<std::int64_t>(loop.index);
  if (name == "index") return index + 1;
  if (name == "index0") return index;
  if (name == "revindex") return count - index;
  if (name == "revindex0") return count - index - 1;
  if (name == "first") return index == 0;
  if (name == "last") return index + 1 == count;
  if (name == "length") return count;
  // Of recursive loops only, which are not there.
  if (name == "depth") return std::int64_t{1};
  if (name == "depth0") return std::int64_t{0};
  if (name == "previtem") {
    return index > 0 ? (*loop.items)[loop.index - 1]
                     : Value(Undefined{"there is no previous item"});
  }
  if (name == "nextitem") {
    return index + 1 < count ? (*loop.items)[loop.index + 1]
                             : Value(Undefined{"there is no next item"});
  }
  refuse(line, fmt::format("loop.{}, which is not there", name));
}

}  // namespace

Value member_of(const Value& value, const std::string& name, int line) {
  switch (value.kind()) {
    case Value::Kind::undefined:
      refuse(line, fmt::format("{} is undefined", value.undefined_name()));
    case Value::Kind::dict:
      if (const Value* found = value.dict().find(name)) return *found;
      break;
    case Value::Kind::space:
      if (const Value* found = value.space().find(name)) return *found;
      break;
    case Value::Kind::loop:
      return loop_member(value.loop(), name, line);
    default:
      break;
  }
  return Undefined{fmt::format("'{}'", name)};
}

Value item_of(const Value& value, const Value& key, int line, Store& store) {
  if (key.is(Value::Kind::text)) return member_of(value, key.text(), line);
  if (value.is(Value::Kind::undefined)) {
    refuse(line, fmt::format("{} is undefined", value.undefined_name()));
  }
  const Undefined none{fmt::format("item {}", to_repr(key))};
  if (value.is(Value::Kind::dict)) {
    for (const auto& [name, item] : value.dict().items) {
      if (equal(name, key)) return item;
    }
    return none;
  }
  if (!key.is_whole()) return none;
  const bool text = value.is(Value::Kind::text);
  if (!text && !value.is(Value::Kind::list)) return none;
  const std::vector<Value> members = members_of(value, line, store);
  const auto count = static_cast<std::int64_t>(members.size());
  const std::int64_t place = key.whole() < 0 ? key.whole() + count : key.whole();
  if (place < 0 || place >= count) return none;
  return members[static_cast<std::size_t>(place)];
}

bool contains(const Value& container, const Value& item, int line, Store& store) {
  if (container.is(Value::Kind::text)) {
    if (!item.is(Value::Kind::text)) {
      refuse(line, fmt::format("'in': {} in a text", describe(item.kind())));
    }
    return container.text().find(item.text()) != std::string::npos;
  }
  for (const Value& member : members_of(container, line, store)) {
    store.charge(std::min(member.weight(), item.weight()), line);
    if (equal(member, item)) return true;
  }
  return false;
}

Value sum_of(const Value& a, const Value& b, int line, Store& store) {
  if (a.is(Value::Kind::text) && b.is(Value::Kind::text)) {
    return store.text(a.text() + b.text(), line);
  }
  if (a.is(Value::Kind::list) && b.is(Value::Kind::list) && a.list().tuple == b.list().tuple) {
    std::vector<Value> items = a.list().items;
    items.insert(items.end(), b.list().items.begin(), b.list().items.end());
    return store.list(std::move(items), line, a.list().tuple);
  }
  for (const Value* value : {&a, &b}) {
    if (value->is(Value::Kind::undefined)) {
      refuse(line, fmt::format("'+': {} is undefined", value->undefined_name()));
    }
  }
  if (!a.is_number() || !b.is_number()) {
    refuse(line, fmt::format("'+' of {} and {}", describe(a.kind()), describe(b.kind())));
  }
  if (!a.is_whole() || !b.is_whole()) return a.number() + b.number();
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a.whole(), b.whole(), &sum)) {
    refuse(line, "a whole number beyond 64 bits");
  }
  return sum;
}

}  // namespace hone::data::jinja
