// Calls of macros, functions and methods.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "data/jinja/evaluator.h"
#include "data/jinja/limits.h"

namespace hone::data::jinja {

Call Evaluator::arguments(const Expression& expression, std::string_view name) {
  Call call;
  call.line = expression.line;
  call.name = name;
  call.arguments = values(expression.parts, 1);
  for (const auto& [key, given] : expression.named) call.named.emplace_back(key, value(*given));
  return call;
}

Value Evaluator::call(const Expression& expression) {
  const Expression& callee = *expression.parts[0];
  if (callee.kind == Expression::Kind::attribute) {
    const Value owner = value(*callee.parts[0]);
    const Call given = arguments(expression, callee.name);
    if (owner.is(Value::Kind::space)) {
      const Value* member = owner.space().find(callee.name);
      if (member != nullptr && member->is(Value::Kind::macro)) {
        return call_macro(member->macro(), given);
      }
    }
    return call_method(owner, given, store_);
  }
  if (callee.kind == Expression::Kind::name && frame_->find(callee.name) == nullptr) {
    if (!is_global(callee.name)) {
      refuse(expression.line, fmt::format("the function '{}', which is not there", callee.name));
    }
    return call_global(arguments(expression, callee.name), now_, store_);
  }
  const Value called = value(callee);
  if (!called.is(Value::Kind::macro)) {
    refuse(expression.line, fmt::format("a call of {}", describe(called.kind())));
  }
  return call_macro(called.macro(), arguments(expression, callee.name));
}

Value Evaluator::call_macro(const Macro& macro, const Call& call) {
  if (macro.statement == nullptr) {
    refuse(call.line, "a call of a function by another name, which is not there");
  }
  const Statement& statement = *macro.statement;
  if (++macros_ > kDeepestCalls) {
    refuse(call.line, fmt::format("macros that call each other more than {} deep", kDeepestCalls));
  }
  if (call.arguments.size() > statement.parameters.size()) {
    refuse(call.line,
           fmt::format("{} arguments for the macro '{}', which has {}", call.arguments.size(),
                       statement.text, statement.parameters.size()));
  }
  for (const auto& [name, given] : call.named) {
    const auto known = [&, wanted = &name](const auto& parameter) {
      return parameter.first == *wanted;
    };
    if (std::none_of(statement.parameters.begin(), statement.parameters.end(), known)) {
      refuse(call.line, fmt::format("the argument '{}' for the macro '{}', which has no such", name,
                                    statement.text));
    }
  }
  Frame* const inner = store_.frame(macro.frame, call.line);
  Frame* const scope = std::exchange(frame_, inner);
  for (std::size_t i = 0; i < statement.parameters.size(); ++i) {
    const auto& [name, usual] = statement.parameters[i];
    if (const Value* given = call.find(i, name)) {
      inner->set(name, *given);
    } else {
      inner->set(name, usual ? value(*usual) : Value(Undefined{fmt::format("'{}'", name)}));
    }
  }
  frame_ = scope;
  Value text = store_.text(captured(statement.bodies[0], inner), call.line);
  --macros_;
  return text;
}

}  // namespace hone::data::jinja
