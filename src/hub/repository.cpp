#include "hub/repository.h"

#include <algorithm>
#include <cctype>

namespace hone::hub {
namespace {

constexpr std::size_t kLongestId = 96;
constexpr std::size_t kLongestName = 512;

bool is_word(std::string_view part) {
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
  };
  const auto is_edge = [](char c) { return c == '.' || c == '-'; };
  return !part.empty() && std::all_of(part.begin(), part.end(), fits) && !is_edge(part.front()) &&
         !is_edge(part.back());
}

}  // namespace

std::string Repository::text() const {
  const std::string word = kind == RepositoryKind::model ? "model " : "data set ";
  const bool usual = revision == "main" || revision == "master";
  return word + id + (usual ? "" : " at revision " + revision);
}

bool is_repository_id(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || text.size() > kLongestId) return false;
  if (text.find("--") != std::string_view::npos || text.find("..") != std::string_view::npos) {
    return false;
  }
  constexpr std::string_view kGit = ".git";
  if (text.size() > kGit.size() && text.substr(text.size() - kGit.size()) == kGit) return false;
  return is_word(text.substr(0, slash)) && is_word(text.substr(slash + 1));
}

bool has_valid_id(const Repository& repository) {
  if (repository.kind == RepositoryKind::model) return is_repository_id(repository.id);
  return is_repository_id(repository.id) || is_repository_id("owner/" + repository.id);
}

bool is_safe_file_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return false;
  const auto is_bad = [](char c) {
    return c == '\\' || static_cast<unsigned char>(c) < 0x20u || c == '\x7f';
  };
  if (std::any_of(name.begin(), name.end(), is_bad)) return false;
  while (true) {
    const std::size_t slash = std::min(name.find('/'), name.size());
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == name.size()) return true;
    name.remove_prefix(slash + 1);
  }
}

bool is_hexadecimal(std::string_view text, std::size_t digits) {
  return text.size() == digits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace hone::hub
