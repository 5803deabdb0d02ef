// Statements of a chat template.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "data/jinja/evaluator.h"
#include "data/jinja/limits.h"

namespace hone::data::jinja {

using Kind = Statement::Kind;

std::string Evaluator::run(const Statements& statements) {
  return captured(statements, frame_);
}

std::string Evaluator::captured(const Statements& statements, Frame* frame) {
  std::string text;
  std::string* const out = std::exchange(out_, &text);
  Frame* const scope = std::exchange(frame_, frame);
  body(statements);
  out_ = out;
  frame_ = scope;
  return text;
}

void Evaluator::emit(const std::string& text, int line) {
  store_.charge(static_cast<std::int64_t>(text.size()), line);
  *out_ += text;
}

Evaluator::Flow Evaluator::body(const Statements& statements) {
  for (const StatementPtr& each : statements) {
    const Flow flow = statement(*each);
    if (flow != Flow::on) return flow;
  }
  return Flow::on;
}

Evaluator::Flow Evaluator::statement(const Statement& statement) {
  const Step step(*this, statement.line);
  switch (statement.kind) {
    case Kind::data:
      emit(statement.text, statement.line);
      return Flow::on;
    case Kind::print: {
      const Value shown = value(*statement.value);
      store_.charge(shown.weight(), statement.line);
      emit(to_text(shown), statement.line);
      return Flow::on;
    }
    case Kind::choice:
      return choice(statement);
    case Kind::loop:
      loop(statement);
      return Flow::on;
    case Kind::set:
      assign(*statement.target, value(*statement.value));
      return Flow::on;
    case Kind::set_block: {
      Frame* const inner = store_.frame(frame_, statement.line);
      assign(*statement.target, Value(captured(statement.bodies[0], inner)));
      return Flow::on;
    }
    case Kind::macro:
      frame_->set(statement.text, Macro{&statement, frame_});
      return Flow::on;
    case Kind::leave:
      return Flow::leave;
    case Kind::next:
      return Flow::next;
    case Kind::group:
      return body(statement.bodies[0]);
  }
  return Flow::on;
}

Evaluator::Flow Evaluator::choice(const Statement& statement) {
  for (std::size_t i = 0; i < statement.conditions.size(); ++i) {
    if (value(*statement.conditions[i]).truth()) return body(statement.bodies[i]);
  }
  return body(statement.other);
}

// The items for which the loop's condition holds.
std::vector<Value> Evaluator::selected(const Statement& statement, std::vector<Value> items) {
  if (statement.conditions.empty()) return items;
  Frame* const scope = frame_;
  frame_ = store_.frame(scope, statement.line);
  std::vector<Value> kept;
  for (const Value& item : items) {
    assign(*statement.target, item);
    if (value(*statement.conditions[0]).truth()) kept.push_back(item);
  }
  frame_ = scope;
  return kept;
}

void Evaluator::loop(const Statement& statement) {
  const Value walked = value(*statement.value);
  const std::vector<Value> items = selected(statement, members_of(walked, statement.line, store_));
  if (!items.empty()) return iterate(statement, items);
  Frame* const scope = frame_;
  frame_ = store_.frame(scope, statement.line);
  body(statement.other);
  frame_ = scope;
}

void Evaluator::iterate(const Statement& statement, const std::vector<Value>& items) {
  Frame* const scope = frame_;
  Loop* const loop = store_.loop(statement.line);
  loop->items = &items;
  for (; loop->index < items.size(); ++loop->index) {
    store_.step(statement.line);
    frame_ = store_.frame(scope, statement.line);
    frame_->set("loop", Value(loop));
    assign(*statement.target, items[loop->index]);
    if (body(statement.bodies[0]) == Flow::leave) break;
  }
  // A loop that was kept in a namespace says nothing more.
  static const std::vector<Value> kNothing;
  loop->items = &kNothing;
  loop->index = 0;
  frame_ = scope;
}

void Evaluator::assign(const Expression& target, const Value& value) {
  if (target.kind == Expression::Kind::name) {
    frame_->set(target.name, value);
    return;
  }
  if (target.kind == Expression::Kind::tuple) {
    const std::vector<Value> members = members_of(value, target.line, store_);
    if (members.size() != target.parts.size()) {
      refuse(target.line,
             fmt::format("{} names for {} values", target.parts.size(), members.size()));
    }
    for (std::size_t i = 0; i < members.size(); ++i) assign(*target.parts[i], members[i]);
    return;
  }
  const std::string& name = target.parts[0]->name;
  const Value* space = frame_->find(name);
  if (space == nullptr || !space->is(Value::Kind::space)) {
    refuse(target.line,
           fmt::format("'{}.{}' is set, where '{}' is no namespace", name, target.name, name));
  }
  for (auto& [known, old] : space->space().members) {
    if (known != target.name) continue;
    old = value;
    return;
  }
  store_.charge(static_cast<std::int64_t>(sizeof(Value)), target.line);
  space->space().members.emplace_back(target.name, value);
}

}  // namespace hone::data::jinja
