#include "hub/addresses.h"

#include <fmt/format.h>

#include <cctype>

namespace hone::hub {
namespace {

// Slashes stay where the text is a path of several parts.
std::string escaped(std::string_view text, bool keep_slashes) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.' || c == '~' ||
                       (c == '/' && keep_slashes);
    if (plain) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", byte);
    }
  }
  return result;
}

const char* plural(const Repository& repository) {
  return repository.kind == RepositoryKind::model ? "models" : "datasets";
}

std::string repository_interface(const HubOptions& options, const Repository& repository) {
  const char* begin = options.kind == HubKind::huggingface ? "api" : "api/v1";
  return fmt::format("{}/{}/{}/{}", options.endpoint, begin, plural(repository),
                     escaped(repository.id, true));
}

}  // namespace

std::string listing_address(const HubOptions& options, const Repository& repository,
                            std::size_t page) {
  const std::string begin = repository_interface(options, repository);
  const std::string revision = escaped(repository.revision, false);
  if (options.kind == HubKind::huggingface) {
    return fmt::format("{}/revision/{}?blobs=true", begin, revision);
  }
  if (repository.kind == RepositoryKind::model) {
    return fmt::format("{}/repo/files?Revision={}&Recursive=True", begin, revision);
  }
  return fmt::format("{}/repo/tree?Revision={}&Recursive=True&PageNumber={}&PageSize={}", begin,
                     revision, page, kPageEntries);
}

std::string search_address(const HubOptions& options, const Repository& repository) {
  const std::string name = repository.id.substr(repository.id.find('/') + 1);
  return fmt::format("{}/api/{}?limit=50&search={}", options.endpoint, plural(repository),
                     escaped(name, false));
}

std::string file_address(const HubOptions& options, const Repository& repository,
                         const std::string& commit, const std::string& file) {
  if (options.kind == HubKind::modelscope) {
    return fmt::format("{}/repo?Revision={}&FilePath={}", repository_interface(options, repository),
                       escaped(commit, false), escaped(file, false));
  }
  const char* folder = repository.kind == RepositoryKind::model ? "" : "datasets/";
  return fmt::format("{}/{}{}/resolve/{}/{}", options.endpoint, folder,
                     escaped(repository.id, true), escaped(commit, false), escaped(file, true));
}

std::string page_address(const HubOptions& options, const Repository& repository) {
  const bool short_form =
      options.kind == HubKind::huggingface && repository.kind == RepositoryKind::model;
  return fmt::format("{}/{}{}", origin_of(options.endpoint),
                     short_form ? "" : std::string(plural(repository)) + "/", repository.id);
}

}  // namespace hone::hub
