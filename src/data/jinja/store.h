// What a rendering makes, and the account of what it costs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/jinja/limits.h"
#include "data/jinja/value.h"
#include "formats/value.h"

namespace hone::data::jinja {

// Names of one scope.
struct Frame {
  Frame* parent = nullptr;
  std::vector<std::pair<std::string, Value>> names;

  const Value* find(std::string_view name) const;  // here and in the scopes around
  void set(const std::string& name, Value value);
};

// Everything it makes lives as long as it does. `line` is the template's, for
// refusals.
class Store {
 public:
  explicit Store(const Limits& limits) : limits_(limits) {}

  // Refuse what goes beyond the limits.
  void step(int line);
  void charge(std::int64_t bytes, int line);

  Value text(std::string text, int line);
  Value list(std::vector<Value> items, int line, bool tuple = false);
  Value dict(std::vector<std::pair<Value, Value>> items, int line);
  Value space(int line);
  Loop* loop(int line);
  Frame* frame(Frame* parent, int line);
  // JSON as the template sees it.
  Value from(const formats::Value& value);

 private:
  void weigh(const Value& value, int& depth, std::int64_t& weight) const;
  void check(int depth, std::int64_t weight, int line) const;

  const Limits limits_;
  std::int64_t steps_ = 0;
  std::int64_t bytes_ = 0;
  std::vector<std::unique_ptr<List>> lists_;
  std::vector<std::unique_ptr<Dict>> dicts_;
  std::vector<std::unique_ptr<Namespace>> spaces_;
  std::vector<std::unique_ptr<Loop>> loops_;
  std::vector<std::unique_ptr<Frame>> frames_;
};

}  // namespace hone::data::jinja
