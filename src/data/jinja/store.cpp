#include "data/jinja/store.h"

#include <algorithm>

#include <fmt/format.h>

namespace hone::data::jinja {

const Value* Frame::find(std::string_view name) const {
  for (const Frame* frame = this; frame != nullptr; frame = frame->parent) {
    for (const auto& [known, value] : frame->names) {
      if (known == name) return &value;
    }
  }
  return nullptr;
}

void Frame::set(const std::string& name, Value value) {
  for (auto& [known, old] : names) {
    if (known != name) continue;
    old = std::move(value);
    return;
  }
  names.emplace_back(name, std::move(value));
}

void Store::step(int line) {
  if (++steps_ > limits_.steps) {
    refuse(line, fmt::format("more than {} steps of work for one text", limits_.steps));
  }
}

void Store::charge(std::int64_t bytes, int line) {
  bytes_ += std::min(bytes, limits_.made_bytes + 1);
  if (bytes_ > limits_.made_bytes) {
    refuse(line, fmt::format("more than {} MiB of texts and lists for one text",
                             limits_.made_bytes >> 20));
  }
}

Value Store::text(std::string text, int line) {
  charge(static_cast<std::int64_t>(text.size()), line);
  return Value(std::move(text));
}

void Store::weigh(const Value& value, int& depth, std::int64_t& weight) const {
  depth = std::max(depth, value.depth() + 1);
  weight = std::min(weight + value.weight(), limits_.made_bytes + 1);
}

void Store::check(int depth, std::int64_t weight, int line) const {
  if (depth > kDeepestData) {
    refuse(line, fmt::format("lists nested more than {} deep", kDeepestData));
  }
  if (weight > limits_.made_bytes) {
    refuse(line, fmt::format("a list that says more than {} MiB", limits_.made_bytes >> 20));
  }
}

Value Store::list(std::vector<Value> items, int line, bool tuple) {
  auto made = std::make_unique<List>();
  made->items = std::move(items);
  made->tuple = tuple;
  for (const Value& item : made->items) weigh(item, made->depth, made->weight);
  check(made->depth, made->weight, line);
  charge(static_cast<std::int64_t>(sizeof(List) + made->items.size() * sizeof(Value)), line);
  lists_.push_back(std::move(made));
  return Value(static_cast<const List*>(lists_.back().get()));
}

Value Store::dict(std::vector<std::pair<Value, Value>> items, int line) {
  auto made = std::make_unique<Dict>();
  made->items = std::move(items);
  for (const auto& [key, value] : made->items) {
    weigh(key, made->depth, made->weight);
    weigh(value, made->depth, made->weight);
  }
  check(made->depth, made->weight, line);
  charge(static_cast<std::int64_t>(sizeof(Dict) + made->items.size() * 2 * sizeof(Value)), line);
  dicts_.push_back(std::move(made));
  return Value(static_cast<const Dict*>(dicts_.back().get()));
}

Value Store::space(int line) {
  charge(sizeof(Namespace), line);
  spaces_.push_back(std::make_unique<Namespace>());
  return Value(spaces_.back().get());
}

Loop* Store::loop(int line) {
  charge(sizeof(Loop), line);
  loops_.push_back(std::make_unique<Loop>());
  return loops_.back().get();
}

Frame* Store::frame(Frame* parent, int line) {
  charge(sizeof(Frame), line);
  frames_.push_back(std::make_unique<Frame>());
  frames_.back()->parent = parent;
  return frames_.back().get();
}

Value Store::from(const formats::Value& value) {
  switch (value.kind()) {
    case formats::Value::Kind::null:
      return None{};
    case formats::Value::Kind::boolean:
      return value.boolean();
    case formats::Value::Kind::integer:
      return value.integer();
    case formats::Value::Kind::number:
      return value.number();
    case formats::Value::Kind::string:
      return text(value.string(), 0);
    case formats::Value::Kind::array: {
      std::vector<Value> items;
      for (const formats::Value& item : value.array()) items.push_back(from(item));
      return list(std::move(items), 0);
    }
    case formats::Value::Kind::object:
      break;
  }
  std::vector<std::pair<Value, Value>> items;
  for (const formats::Member& member : value.object()) {
    items.emplace_back(text(member.key, 0), from(member.value));
  }
  return dict(std::move(items), 0);
}

}  // namespace hone::data::jinja
