#include "hub/name_pattern.h"

#include <cstddef>
#include <vector>

namespace hone::hub {
namespace {

struct Token {
  enum class Kind { letter, any_letter, set, any_in_part, any };
  Kind kind = Kind::letter;
  std::string_view text;   // the letter, or what stands in the brackets
  bool and_slash = false;  // of `any`: "**/", which also stands for nothing
};

std::vector<Token> tokens_of(std::string_view pattern) {
  std::vector<Token> tokens;
  while (!pattern.empty()) {
    std::size_t used = 1;
    Token token = {Token::Kind::letter, pattern.substr(0, 1), false};
    if (pattern.substr(0, 2) == "**") {
      token.kind = Token::Kind::any;
      used = 2;
      token.and_slash = pattern.substr(2, 1) == "/";
      if (token.and_slash) used = 3;
    } else if (pattern[0] == '*') {
      token.kind = Token::Kind::any_in_part;
    } else if (pattern[0] == '?') {
      token.kind = Token::Kind::any_letter;
    } else if (pattern[0] == '[') {
      const std::size_t end = pattern.find(']', 2);
      if (end != std::string_view::npos) {
        token = {Token::Kind::set, pattern.substr(1, end - 1), false};
        used = end + 1;
      }
    }
    tokens.push_back(token);
    pattern.remove_prefix(used);
  }
  return tokens;
}

bool in_set(std::string_view set, char letter) {
  const bool negated = set.front() == '!' || set.front() == '^';
  if (negated) set.remove_prefix(1);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i + 2 < set.size() && set[i + 1] == '-') {
      found = found || (set[i] <= letter && letter <= set[i + 2]);
      i += 2;
    } else {
      found = found || set[i] == letter;
    }
  }
  return found != negated && letter != '/';
}

// Whether one letter is taken by the token without leaving it or going to the next.
bool takes(const Token& token, char letter) {
  switch (token.kind) {
    case Token::Kind::letter:
      return token.text.front() == letter;
    case Token::Kind::any_letter:
    case Token::Kind::any_in_part:
      return letter != '/';
    case Token::Kind::set:
      return in_set(token.text, letter);
    case Token::Kind::any:
      return true;
  }
  return false;
}

bool repeats(const Token& token) {
  return token.kind == Token::Kind::any || token.kind == Token::Kind::any_in_part;
}

// From every state that may stand still before a token that may stand for nothing, the next too.
void add_empty(const std::vector<Token>& tokens, std::vector<char>& states) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (states[i] != 0 && repeats(tokens[i])) states[i + 1] = 1;
  }
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  const std::vector<Token> tokens = tokens_of(pattern);
  // states[i]: the name so far may be what the first i tokens stand for.
  std::vector<char> states(tokens.size() + 1, 0);
  // Inside a "**/" the next token begins after a slash alone.
  std::vector<char> inside(tokens.size() + 1, 0);
  states[0] = 1;
  add_empty(tokens, states);
  for (const char letter : name) {
    std::vector<char> next(tokens.size() + 1, 0);
    std::vector<char> next_inside(tokens.size() + 1, 0);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool here = states[i] != 0 || inside[i] != 0;
      if (!here || !takes(tokens[i], letter)) continue;
      if (tokens[i].and_slash) {
        next_inside[i] = 1;
        if (letter == '/') next[i + 1] = 1;
      } else if (repeats(tokens[i])) {
        next[i] = 1;
      } else {
        next[i + 1] = 1;
      }
    }
    states = next;
    inside = next_inside;
    add_empty(tokens, states);
  }
  return states[tokens.size()] != 0;
}

}  // namespace hone::hub
