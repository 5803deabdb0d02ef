// Expressions by Jinja's grammar.
#pragma once

#include "data/jinja/syntax.h"
#include "data/jinja/token_stream.h"

namespace hone::data::jinja {

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenStream& stream) : stream_(stream) {}

  ExpressionPtr expression();  // with "a if b else c"
  ExpressionPtr without_choice();
  // One expression, or several with commas between them: a tuple.
  ExpressionPtr tuple(bool with_choice);
  // What can be set: a name, a tuple of names, or a namespace's member.
  ExpressionPtr target(bool with_member);

 private:
  ExpressionPtr conjunction();
  ExpressionPtr negation();
  ExpressionPtr comparison();
  // Operators of one level, done from the left.
  ExpressionPtr level(int level);
  ExpressionPtr power();
  ExpressionPtr unary(bool with_filters);
  ExpressionPtr primary();
  ExpressionPtr bracketed();
  ExpressionPtr list();
  ExpressionPtr dict();
  ExpressionPtr word();
  ExpressionPtr postfix(ExpressionPtr value);
  ExpressionPtr called(ExpressionPtr value, int line);
  ExpressionPtr subscript(ExpressionPtr value);
  ExpressionPtr filters(ExpressionPtr value);
  ExpressionPtr test(ExpressionPtr value);
  void arguments(Expression& call);
  bool at_comparison() const;

  TokenStream& stream_;
};

}  // namespace hone::data::jinja
