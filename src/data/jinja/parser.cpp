#include "data/jinja/parser.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "data/jinja/expression_parser.h"
#include "data/jinja/limits.h"

namespace hone::data::jinja {

namespace {

using Names = std::vector<std::string_view>;

class Parser {
 public:
  explicit Parser(std::string_view source) : stream_(tokens_of(source)), expressions_(stream_) {}

  Statements run() {
    Statements all = body({});
    return all;
  }

 private:
  static StatementPtr made(Statement::Kind kind, int line) {
    auto statement = std::make_unique<Statement>();
    statement->kind = kind;
    statement->line = line;
    return statement;
  }

  // Statements up to a tag of one of these names, whose name is then the next
  // token; without names, up to the end.
  Statements body(const Names& ends) {
    const TokenStream::Depth depth(stream_);
    Statements all;
    for (;;) {
      const Token& now = stream_.now();
      if (now.kind == Token::Kind::end) {
        if (ends.empty()) return all;
        refuse(now.line, fmt::format("the end, where a tag '{}' belongs", ends.back()));
      }
      if (now.kind == Token::Kind::data) {
        all.push_back(made(Statement::Kind::data, now.line));
        all.back()->text = stream_.take().text;
      } else if (now.kind == Token::Kind::print_begin) {
        stream_.take();
        all.push_back(made(Statement::Kind::print, stream_.line()));
        all.back()->value = expressions_.tuple(true);
        stream_.expect(Token::Kind::print_end);
      } else {
        stream_.take();
        if (stream_.now().kind != Token::Kind::name) stream_.unexpected("the name of a tag");
        if (std::find(ends.begin(), ends.end(), stream_.now().text) != ends.end()) return all;
        all.push_back(tag());
      }
    }
  }

  StatementPtr tag() {
    const Token name = stream_.take();
    if (name.text == "if") return choice(name.line);
    if (name.text == "for") return loop(name.line);
    if (name.text == "set") return set(name.line);
    if (name.text == "macro") return macro(name.line);
    if (name.text == "generation") return generation(name.line);
    if (name.text == "break") return jump(Statement::Kind::leave, name);
    if (name.text == "continue") return jump(Statement::Kind::next, name);
    refuse(name.line, fmt::format("the tag '{}', which is not there", name.text));
  }

  void end_tag() { stream_.expect(Token::Kind::block_end); }

  Statements body_and_end(const Names& ends) {
    Statements all = body(ends);
    stream_.take();
    end_tag();
    return all;
  }

  StatementPtr choice(int line) {
    StatementPtr made = Parser::made(Statement::Kind::choice, line);
    for (;;) {
      made->conditions.push_back(expressions_.tuple(false));
      end_tag();
      made->bodies.push_back(body({"elif", "else", "endif"}));
      const std::string name = stream_.take().text;
      if (name == "elif") continue;
      end_tag();
      if (name == "else") made->other = body_and_end({"endif"});
      return made;
    }
  }

  StatementPtr loop(int line) {
    StatementPtr made = Parser::made(Statement::Kind::loop, line);
    made->target = expressions_.target(false);
    stream_.expect_name("in");
    made->value = expressions_.tuple(false);
    if (stream_.skip_name("if")) made->conditions.push_back(expressions_.expression());
    if (stream_.at_name("recursive")) refuse(line, "a recursive loop, which is not there");
    end_tag();
    ++loops_;
    made->bodies.push_back(body({"else", "endfor"}));
    --loops_;
    const bool has_other = stream_.take().text == "else";
    end_tag();
    if (has_other) made->other = body_and_end({"endfor"});
    return made;
  }

  StatementPtr set(int line) {
    ExpressionPtr target = expressions_.target(true);
    const bool block = !stream_.skip_symbol("=");
    StatementPtr made =
        Parser::made(block ? Statement::Kind::set_block : Statement::Kind::set, line);
    made->target = std::move(target);
    if (block) {
      if (stream_.at_symbol("|")) refuse(line, "a block 'set' with a filter, which is not there");
      end_tag();
      made->bodies.push_back(body_and_end({"endset"}));
    } else {
      made->value = expressions_.tuple(true);
      end_tag();
    }
    return made;
  }

  StatementPtr macro(int line) {
    StatementPtr made = Parser::made(Statement::Kind::macro, line);
    made->text = stream_.any_name();
    stream_.expect_symbol("(");
    while (!stream_.skip_symbol(")")) {
      if (!made->parameters.empty()) stream_.expect_symbol(",");
      std::string name = stream_.any_name();
      ExpressionPtr usual;
      if (stream_.skip_symbol("=")) {
        usual = expressions_.expression();
      } else if (!made->parameters.empty() && made->parameters.back().second) {
        refuse(line, fmt::format("a macro whose parameter '{}' has no default "
                                 "behind one that has",
                                 name));
      }
      made->parameters.emplace_back(std::move(name), std::move(usual));
    }
    end_tag();
    const int loops = std::exchange(loops_, 0);
    made->bodies.push_back(body_and_end({"endmacro"}));
    loops_ = loops;
    return made;
  }

  StatementPtr generation(int line) {
    end_tag();
    StatementPtr made = Parser::made(Statement::Kind::group, line);
    made->bodies.push_back(body_and_end({"endgeneration"}));
    return made;
  }

  StatementPtr jump(Statement::Kind kind, const Token& name) {
    if (loops_ == 0) refuse(name.line, fmt::format("'{}' outside of a loop", name.text));
    end_tag();
    return made(kind, name.line);
  }

  TokenStream stream_;
  ExpressionParser expressions_;
  int loops_ = 0;  // that the position is in
};

}  // namespace

Statements parse(std::string_view source) {
  return Parser(source).run();
}

}  // namespace hone::data::jinja
