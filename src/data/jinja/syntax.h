// What a chat template says, as trees.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/jinja/value.h"

namespace hone::data::jinja {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Expression {
  enum class Kind {
    constant,   // constant
    name,       // name
    list,       // parts
    tuple,      // parts
    dict,       // parts: key, value, key, value, ...
    attribute,  // parts[0] . name
    item,       // parts[0] [ parts[1] ]
    slice,      // parts[0] [ parts[1] : parts[2] : parts[3] ], each of the last
                // three may be null
    call,       // parts[0] ( parts[1...], named )
    filter,     // parts[0] | name ( parts[1...], named )
    test,       // parts[0] is name ( parts[1...] )
    unary,      // name: "-", "+", "not"
    binary,     // name: an operator, "and", "or"
    compare,    // parts[0] names[0] parts[1] names[1] parts[2] ...
    choice,     // parts[0] if parts[1] else parts[2], which may be null
  };
  Kind kind = Kind::constant;
  int line = 1;
  std::string name;
  std::vector<std::string> names;
  Value constant;
  std::vector<ExpressionPtr> parts;
  std::vector<std::pair<std::string, ExpressionPtr>> named;
  int height = 1;  // of the tree

  // Refuses trees that are too tall to be walked.
  void add(ExpressionPtr part);
  void add(std::string part_name, ExpressionPtr part);
};

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;
using Statements = std::vector<StatementPtr>;

struct Statement {
  enum class Kind {
    data,       // text
    print,      // value
    choice,     // conditions[i] -> bodies[i]; otherwise other
    loop,       // for target in value if condition: bodies[0], other
    set,        // target = value
    set_block,  // target = bodies[0]
    macro,      // text, parameters with defaults, bodies[0]
    leave,      // break
    next,       // continue
    group,      // bodies[0]: what stands in {% generation %}
  };
  Kind kind = Kind::data;
  int line = 1;
  std::string text;
  ExpressionPtr value;
  ExpressionPtr target;  // a name, an attribute, or a tuple of names
  std::vector<ExpressionPtr> conditions;
  std::vector<std::pair<std::string, ExpressionPtr>> parameters;  // the default may be null
  std::vector<Statements> bodies;
  Statements other;
};

}  // namespace hone::data::jinja
