// Runs the trees of a chat template.
#pragma once

#include <ctime>
#include <string>

#include "data/jinja/call.h"
#include "data/jinja/store.h"
#include "data/jinja/syntax.h"

namespace hone::data::jinja {

class Evaluator {
 public:
  // `globals` holds the template's variables; all arguments outlive the
  // evaluator.
  Evaluator(Store& store, Frame* globals, const std::tm& now)
      : store_(store), frame_(globals), now_(now) {}

  // The text of the statements. UserError for whatever cannot be done.
  std::string run(const Statements& statements);

 private:
  enum class Flow { on, leave, next };

  // Counts a step, and how deep it is.
  class Step {
   public:
    Step(Evaluator& evaluator, int line);
    ~Step() { --evaluator_.depth_; }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Evaluator& evaluator_;
  };

  Flow body(const Statements& statements);
  Flow statement(const Statement& statement);
  Flow choice(const Statement& statement);
  void loop(const Statement& statement);
  void iterate(const Statement& statement, const std::vector<Value>& items);
  std::vector<Value> selected(const Statement& statement, std::vector<Value> items);
  void assign(const Expression& target, const Value& value);
  void emit(const std::string& text, int line);
  // What the statements write, in a scope of their own.
  std::string captured(const Statements& statements, Frame* frame);

  Value value(const Expression& expression);
  Value optional(const ExpressionPtr& expression);  // none where there is nothing
  Value unary(const Expression& expression);
  Value binary(const Expression& expression);
  Value arithmetic(const std::string& sign, const Value& a, const Value& b, int line);
  bool compared(const Expression& expression);
  bool compared(const std::string& sign, const Value& a, const Value& b, int line);
  Value slice(const Expression& expression);
  Value dict(const Expression& expression);
  std::vector<Value> values(const std::vector<ExpressionPtr>& parts, std::size_t from);
  Call arguments(const Expression& expression, std::string_view name);
  Value call(const Expression& expression);
  Value call_macro(const Macro& macro, const Call& call);
  Value test(const Expression& expression);

  Store& store_;
  Frame* frame_;
  const std::tm& now_;
  std::string* out_ = nullptr;
  int depth_ = 0;   // of expressions and statements in each other
  int macros_ = 0;  // that are running
};

}  // namespace hone::data::jinja
