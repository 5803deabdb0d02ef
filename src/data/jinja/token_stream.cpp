#include "data/jinja/token_stream.h"

#include <fmt/format.h>

#include "data/jinja/limits.h"

namespace hone::data::jinja {

namespace {

std::string shown(const Token& token) {
  switch (token.kind) {
    case Token::Kind::data:
    case Token::Kind::print_begin:
    case Token::Kind::block_begin:
      return "text";
    case Token::Kind::block_end:
    case Token::Kind::print_end:
      return "the end of the tag";
    case Token::Kind::text:
      return "a text";
    case Token::Kind::end:
      return "the end of the template";
    default:
      return fmt::format("'{}'", token.text);
  }
}

}  // namespace

Token TokenStream::take() {
  Token token = now();
  if (token.kind != Token::Kind::end) ++at_;
  return token;
}

bool TokenStream::skip_symbol(std::string_view symbol) {
  if (!at_symbol(symbol)) return false;
  take();
  return true;
}

bool TokenStream::skip_name(std::string_view name) {
  if (!at_name(name)) return false;
  take();
  return true;
}

void TokenStream::expect_symbol(std::string_view symbol) {
  if (!skip_symbol(symbol)) unexpected(fmt::format("'{}'", symbol));
}

void TokenStream::expect_name(std::string_view name) {
  if (!skip_name(name)) unexpected(fmt::format("'{}'", name));
}

void TokenStream::expect(Token::Kind kind) {
  if (now().kind != kind) unexpected("the end of the tag");
  take();
}

std::string TokenStream::any_name() {
  if (now().kind != Token::Kind::name) unexpected("a name");
  return take().text;
}

void TokenStream::unexpected(std::string_view wanted) const {
  refuse(line(), fmt::format("{} where {} belongs", shown(now()), wanted));
}

TokenStream::Depth::Depth(TokenStream& stream) : stream_(stream) {
  if (stream_.depth_ >= kDeepest) {
    refuse(stream_.line(), fmt::format("more than {} levels of nesting", kDeepest));
  }
  ++stream_.depth_;
}

}  // namespace hone::data::jinja
