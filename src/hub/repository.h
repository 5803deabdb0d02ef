// A repository of a hub, and what is in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::hub {

enum class RepositoryKind { model, dataset };

struct Repository {
  RepositoryKind kind = RepositoryKind::model;
  std::string id;                 // "org/name"; data sets of old times are a name alone
  std::string revision = "main";  // a branch, a tag, or a commit

  // As errors name it: "model org/name", with a revision other than main and master.
  std::string text() const;
};

struct RepositoryFile {
  std::string name;  // with forward slashes: "data/train.parquet"
  std::optional<std::uint64_t> size_bytes;
  // What the hub promises of the bytes and names the blob by: 64 digits are a SHA-256, 40 git's
  // object name; empty: not known.
  std::string digest;
};

struct Listing {
  std::string commit;  // 40 hexadecimal digits
  std::vector<RepositoryFile> files;
};

// True for what a hub accepts as the name of a model: "org/name", letters, digits, '.', '_', '-',
// at most 96 characters, no "--" and no "..", neither part beginning or ending in '.' or '-', no
// ".git" at the end.
bool is_repository_id(std::string_view text);

// The same, or for a data set the name alone.
bool has_valid_id(const Repository& repository);

// True for a name that stays inside its folder on every system: no empty part, "." or "..", no
// backslash, no control character, at most 512 bytes.
bool is_safe_file_name(std::string_view name);

bool is_hexadecimal(std::string_view text, std::size_t digits);

}  // namespace hone::hub
