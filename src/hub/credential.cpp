#include "hub/credential.h"

#include <algorithm>

#include "base/error.h"

namespace hone::hub {

std::string sendable_token(const std::string& token, const std::string& place) {
  const std::size_t begin = token.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "";
  const std::string text = token.substr(begin, token.find_last_not_of(" \t\r\n") - begin + 1);
  const auto stands = [](char c) { return c > 0x20 && c < 0x7f && c != ';' && c != ','; };
  if (std::all_of(text.begin(), text.end(), stands)) return text;
  throw UserError({"the token in " + place, "blanks or other characters that no token has in it",
                   "copy it again from the hub's page of tokens, on one line"});
}

std::string credential_of(const HubOptions& options) {
  if (options.token.empty()) return "";
  return options.kind == HubKind::huggingface ? "Authorization: Bearer " + options.token
                                              : "Cookie: m_session_id=" + options.token;
}

}  // namespace hone::hub
