// The tokens of a template, looked at one after the other.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "data/jinja/lexer.h"

namespace hone::data::jinja {

class TokenStream {
 public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& now() const { return tokens_[at_]; }
  const Token& next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  int line() const { return now().line; }
  Token take();

  bool at_symbol(std::string_view symbol) const { return now().is(Token::Kind::symbol, symbol); }
  bool at_name(std::string_view name) const { return now().is(Token::Kind::name, name); }
  bool skip_symbol(std::string_view symbol);
  bool skip_name(std::string_view name);
  void expect_symbol(std::string_view symbol);
  void expect_name(std::string_view name);
  void expect(Token::Kind kind);
  std::string any_name();
  // Refuses what stands here, naming what should.
  [[noreturn]] void unexpected(std::string_view wanted) const;

  // Guards against templates that are nested too deeply.
  class Depth {
   public:
    explicit Depth(TokenStream& stream);
    ~Depth() { --stream_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    TokenStream& stream_;
  };

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace hone::data::jinja
