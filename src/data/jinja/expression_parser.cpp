#include "data/jinja/expression_parser.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "data/jinja/limits.h"

namespace hone::data::jinja {

namespace {

ExpressionPtr made(Expression::Kind kind, int line, std::string name = {}) {
  auto expression = std::make_unique<Expression>();
  expression->kind = kind;
  expression->line = line;
  expression->name = std::move(name);
  return expression;
}

ExpressionPtr constant(int line, Value value) {
  ExpressionPtr expression = made(Expression::Kind::constant, line);
  expression->constant = std::move(value);
  return expression;
}

ExpressionPtr joined(std::string name, int line, ExpressionPtr left, ExpressionPtr right) {
  ExpressionPtr expression = made(Expression::Kind::binary, line, std::move(name));
  expression->add(std::move(left));
  expression->add(std::move(right));
  return expression;
}

using Kind = Expression::Kind;

}  // namespace

void Expression::add(ExpressionPtr part) {
  if (part) height = std::max(height, part->height + 1);
  if (height > kTallest) {
    refuse(line, fmt::format("an expression of more than {} parts in each other", kTallest));
  }
  parts.push_back(std::move(part));
}

void Expression::add(std::string part_name, ExpressionPtr part) {
  add(std::move(part));
  named.emplace_back(std::move(part_name), std::move(parts.back()));
  parts.pop_back();
}

ExpressionPtr ExpressionParser::expression() {
  const TokenStream::Depth depth(stream_);
  ExpressionPtr value = without_choice();
  while (stream_.at_name("if")) {
    ExpressionPtr choice = made(Kind::choice, stream_.take().line);
    choice->add(std::move(value));
    choice->add(without_choice());
    choice->add(stream_.skip_name("else") ? expression() : nullptr);
    value = std::move(choice);
  }
  return value;
}

ExpressionPtr ExpressionParser::without_choice() {
  ExpressionPtr value = conjunction();
  while (stream_.at_name("or")) {
    const int line = stream_.take().line;
    value = joined("or", line, std::move(value), conjunction());
  }
  return value;
}

ExpressionPtr ExpressionParser::conjunction() {
  ExpressionPtr value = negation();
  while (stream_.at_name("and")) {
    const int line = stream_.take().line;
    value = joined("and", line, std::move(value), negation());
  }
  return value;
}

ExpressionPtr ExpressionParser::negation() {
  if (!stream_.at_name("not")) return comparison();
  const TokenStream::Depth depth(stream_);
  ExpressionPtr value = made(Kind::unary, stream_.take().line, "not");
  value->add(negation());
  return value;
}

bool ExpressionParser::at_comparison() const {
  constexpr std::array<std::string_view, 6> kSymbols = {"==", "!=", "<", "<=", ">", ">="};
  const Token& now = stream_.now();
  if (now.kind == Token::Kind::symbol) {
    return std::find(kSymbols.begin(), kSymbols.end(), now.text) != kSymbols.end();
  }
  return stream_.at_name("in") ||
         (stream_.at_name("not") && stream_.next().is(Token::Kind::name, "in"));
}

ExpressionPtr ExpressionParser::comparison() {
  ExpressionPtr value = level(0);
  if (!at_comparison()) return value;
  ExpressionPtr chain = made(Kind::compare, stream_.line());
  chain->add(std::move(value));
  while (at_comparison()) {
    std::string name = stream_.take().text;
    if (name == "not") {
      stream_.take();
      name = "not in";
    }
    chain->names.push_back(std::move(name));
    chain->add(level(0));
  }
  return chain;
}

ExpressionPtr ExpressionParser::level(int level) {
  constexpr std::array<std::string_view, 3> kSymbols = {"+-", "~", "*///%"};
  if (level == 3) return power();
  ExpressionPtr value = this->level(level + 1);
  for (;;) {
    const Token& now = stream_.now();
    const bool fits =
        now.kind == Token::Kind::symbol && now.text != "**" &&
        kSymbols[static_cast<std::size_t>(level)].find(now.text) != std::string_view::npos;
    if (!fits) return value;
    const Token sign = stream_.take();
    value = joined(sign.text, sign.line, std::move(value), this->level(level + 1));
  }
}

ExpressionPtr ExpressionParser::power() {
  ExpressionPtr value = unary(true);
  while (stream_.at_symbol("**")) {
    const int line = stream_.take().line;
    value = joined("**", line, std::move(value), unary(true));
  }
  return value;
}

ExpressionPtr ExpressionParser::unary(bool with_filters) {
  const TokenStream::Depth depth(stream_);
  ExpressionPtr value;
  if (stream_.at_symbol("-") || stream_.at_symbol("+")) {
    const Token sign = stream_.take();
    value = made(Kind::unary, sign.line, sign.text);
    value->add(unary(false));
  } else {
    value = primary();
  }
  value = postfix(std::move(value));
  return with_filters ? filters(std::move(value)) : std::move(value);
}

ExpressionPtr ExpressionParser::primary() {
  const int line = stream_.line();
  switch (stream_.now().kind) {
    case Token::Kind::name:
      return word();
    case Token::Kind::whole:
      return constant(line, stream_.take().whole);
    case Token::Kind::real:
      return constant(line, stream_.take().real);
    case Token::Kind::text: {
      std::string text = stream_.take().text;
      while (stream_.now().kind == Token::Kind::text) text += stream_.take().text;
      return constant(line, std::move(text));
    }
    case Token::Kind::symbol:
      if (stream_.at_symbol("(")) return bracketed();
      if (stream_.at_symbol("[")) return list();
      if (stream_.at_symbol("{")) return dict();
      break;
    default:
      break;
  }
  stream_.unexpected("a value");
}

ExpressionPtr ExpressionParser::word() {
  const Token name = stream_.take();
  if (name.text == "true" || name.text == "True") return constant(name.line, true);
  if (name.text == "false" || name.text == "False") return constant(name.line, false);
  if (name.text == "none" || name.text == "None") return constant(name.line, None{});
  return made(Kind::name, name.line, name.text);
}

ExpressionPtr ExpressionParser::bracketed() {
  const int line = stream_.take().line;
  if (stream_.skip_symbol(")")) return made(Kind::tuple, line);
  ExpressionPtr value = tuple(true);
  stream_.expect_symbol(")");
  return value;
}

ExpressionPtr ExpressionParser::tuple(bool with_choice) {
  const int line = stream_.line();
  const auto one = [&] { return with_choice ? expression() : without_choice(); };
  ExpressionPtr value = one();
  if (!stream_.at_symbol(",")) return value;
  ExpressionPtr all = made(Kind::tuple, line);
  all->add(std::move(value));
  while (stream_.skip_symbol(",")) {
    const Token::Kind kind = stream_.now().kind;
    if (stream_.at_symbol(")") || kind == Token::Kind::block_end ||
        kind == Token::Kind::print_end) {
      break;
    }
    all->add(one());
  }
  return all;
}

ExpressionPtr ExpressionParser::list() {
  ExpressionPtr all = made(Kind::list, stream_.take().line);
  while (!stream_.skip_symbol("]")) {
    if (!all->parts.empty()) {
      stream_.expect_symbol(",");
      if (stream_.skip_symbol("]")) break;
    }
    all->add(expression());
  }
  return all;
}

ExpressionPtr ExpressionParser::dict() {
  ExpressionPtr all = made(Kind::dict, stream_.take().line);
  while (!stream_.skip_symbol("}")) {
    if (!all->parts.empty()) {
      stream_.expect_symbol(",");
      if (stream_.skip_symbol("}")) break;
    }
    all->add(expression());
    stream_.expect_symbol(":");
    all->add(expression());
  }
  return all;
}

ExpressionPtr ExpressionParser::target(bool with_member) {
  const int line = stream_.line();
  const bool bracket = stream_.skip_symbol("(");
  ExpressionPtr name = made(Kind::name, line, stream_.any_name());
  if (with_member && stream_.skip_symbol(".")) {
    ExpressionPtr member = made(Kind::attribute, line, stream_.any_name());
    member->add(std::move(name));
    return member;
  }
  ExpressionPtr all = made(Kind::tuple, line);
  all->add(std::move(name));
  bool several = false;
  while (stream_.skip_symbol(",")) {
    several = true;
    if (stream_.now().kind != Token::Kind::name || stream_.at_name("in")) break;
    all->add(made(Kind::name, line, stream_.any_name()));
  }
  if (bracket) stream_.expect_symbol(")");
  return several ? std::move(all) : std::move(all->parts.front());
}

ExpressionPtr ExpressionParser::postfix(ExpressionPtr value) {
  for (;;) {
    const int line = stream_.line();
    if (stream_.skip_symbol(".")) {
      if (stream_.now().kind == Token::Kind::whole) {
        ExpressionPtr item = made(Kind::item, line);
        item->add(std::move(value));
        item->add(constant(line, stream_.take().whole));
        value = std::move(item);
        continue;
      }
      ExpressionPtr member = made(Kind::attribute, line, stream_.any_name());
      member->add(std::move(value));
      value = std::move(member);
    } else if (stream_.at_symbol("[")) {
      value = subscript(std::move(value));
    } else if (stream_.at_symbol("(")) {
      value = called(std::move(value), line);
    } else {
      return value;
    }
  }
}

ExpressionPtr ExpressionParser::called(ExpressionPtr value, int line) {
  ExpressionPtr call = made(Kind::call, line);
  call->add(std::move(value));
  arguments(*call);
  return call;
}

ExpressionPtr ExpressionParser::subscript(ExpressionPtr value) {
  const int line = stream_.take().line;
  ExpressionPtr first = stream_.at_symbol(":") ? nullptr : expression();
  if (stream_.skip_symbol("]")) {
    ExpressionPtr item = made(Kind::item, line);
    item->add(std::move(value));
    item->add(std::move(first));
    return item;
  }
  ExpressionPtr slice = made(Kind::slice, line);
  slice->add(std::move(value));
  slice->add(std::move(first));
  for (int i = 0; i < 2; ++i) {
    const bool there = stream_.skip_symbol(":");
    const bool filled = there && !stream_.at_symbol(":") && !stream_.at_symbol("]");
    slice->add(filled ? expression() : nullptr);
  }
  stream_.expect_symbol("]");
  return slice;
}

void ExpressionParser::arguments(Expression& call) {
  stream_.expect_symbol("(");
  bool first = true;
  while (!stream_.skip_symbol(")")) {
    if (!first) {
      stream_.expect_symbol(",");
      if (stream_.skip_symbol(")")) break;
    }
    first = false;
    if (stream_.at_symbol("*") || stream_.at_symbol("**")) {
      refuse(stream_.line(), "arguments behind '*', which are not read");
    }
    const bool named =
        stream_.now().kind == Token::Kind::name && stream_.next().is(Token::Kind::symbol, "=");
    if (named) {
      std::string name = stream_.take().text;
      stream_.take();
      call.add(std::move(name), expression());
    } else {
      if (!call.named.empty()) stream_.unexpected("an argument with a name");
      call.add(expression());
    }
  }
}

ExpressionPtr ExpressionParser::filters(ExpressionPtr value) {
  for (;;) {
    const int line = stream_.line();
    if (stream_.skip_symbol("|")) {
      ExpressionPtr filter = made(Kind::filter, line, stream_.any_name());
      filter->add(std::move(value));
      if (stream_.at_symbol("(")) arguments(*filter);
      value = std::move(filter);
    } else if (stream_.at_name("is")) {
      value = test(std::move(value));
    } else if (stream_.at_symbol("(")) {
      value = called(std::move(value), line);
    } else {
      return value;
    }
  }
}

ExpressionPtr ExpressionParser::test(ExpressionPtr value) {
  const int line = stream_.take().line;
  const bool negated = stream_.skip_name("not");
  ExpressionPtr test = made(Kind::test, line, stream_.any_name());
  test->add(std::move(value));
  const Token& now = stream_.now();
  const bool ends = stream_.at_name("else") || stream_.at_name("or") || stream_.at_name("and");
  if (stream_.at_symbol("(")) {
    arguments(*test);
  } else if (!ends && (now.kind == Token::Kind::name || now.kind == Token::Kind::text ||
                       now.kind == Token::Kind::whole || now.kind == Token::Kind::real ||
                       stream_.at_symbol("[") || stream_.at_symbol("{"))) {
    if (stream_.at_name("is")) refuse(line, "a test of a test ('is' twice)");
    test->add(postfix(primary()));
  }
  if (!negated) return test;
  ExpressionPtr negation = made(Kind::unary, line, "not");
  negation->add(std::move(test));
  return negation;
}

}  // namespace hone::data::jinja
