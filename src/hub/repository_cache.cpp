#include "hub/repository_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/error.h"
#include "formats/file_system.h"
#include "formats/file_writer.h"
#include "formats/regular_file.h"
#include "formats/whole_file.h"
#include "hub/digest.h"

namespace hone::hub {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCommitDigits = 40;
constexpr std::size_t kLargestRef = 4096;
constexpr std::uintmax_t kCheckedBytes = std::uintmax_t{64} << 20;

std::string replaced(std::string_view text, char from, std::string_view to) {
  std::string result;
  for (const char c : text) {
    if (c == from) {
      result += to;
    } else {
      result += c;
    }
  }
  return result;
}

const char* plural(const Repository& repository) {
  return repository.kind == RepositoryKind::model ? "models" : "datasets";
}

// Whether a file has the bytes that are listed; large ones by their size alone, unless `wholly`.
bool is_listed(const fs::path& path, const RepositoryFile& file, bool wholly) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size != file.size_bytes.value_or(size)) return false;
  if (file.digest.empty()) return !wholly;
  if (size > kCheckedBytes && !wholly) return true;
  return digest_of_file(path, file.digest.size()) == file.digest;
}

std::string without_blanks(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '\r')) {
    text.pop_back();
  }
  return text;
}

// From a file of a snapshot to its blob: as many levels up as the file is deep, and two more.
fs::path way_to_blob(const std::string& name, const std::string& digest) {
  fs::path way;
  for (std::ptrdiff_t i = 0; i < std::count(name.begin(), name.end(), '/') + 2; ++i) way /= "..";
  return way / "blobs" / digest;
}

}  // namespace

void make_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UserError(formats::system_fault("create folder", folder, error.value()));
}

RepositoryCache::RepositoryCache(HubKind kind, fs::path cache, const Repository& repository)
    : kind_(kind),
      cache_(std::move(cache)),
      repository_(repository),
      name_(fmt::format("{}{}{}", plural(repository), kind == HubKind::huggingface ? "--" : "/",
                        replaced(repository.id, '/', "--"))),
      folder_(cache_ / name_) {}

fs::path RepositoryCache::blob(const std::string& digest) const {
  return folder_ / "blobs" / digest;
}

fs::path RepositoryCache::incomplete(const std::string& digest) const {
  return folder_ / "blobs" / (digest + ".incomplete");
}

fs::path RepositoryCache::snapshot(const std::string& commit) const {
  return folder_ / "snapshots" / commit;
}

std::optional<fs::path> RepositoryCache::known_snapshot() const {
  std::error_code error;
  const std::string& revision = repository_.revision;
  if (kind_ == HubKind::modelscope) {
    std::vector<fs::path> folders = earlier_folders();
    folders.insert(folders.begin(), snapshot(revision));
    for (const fs::path& folder : folders) {
      if (!files_of(folder).empty()) return folder;
    }
    return std::nullopt;
  }
  const auto is_here = [&](const std::string& commit) {
    return is_hexadecimal(commit, kCommitDigits) && fs::is_directory(snapshot(commit), error);
  };
  if (is_here(revision)) return snapshot(revision);
  const fs::path ref = folder_ / "refs" / revision;
  if (!fs::is_regular_file(ref, error)) return std::nullopt;
  const std::string commit = without_blanks(formats::read_whole_file(ref, kLargestRef));
  return is_here(commit) ? std::optional(snapshot(commit)) : std::nullopt;
}

std::vector<RepositoryFile> RepositoryCache::files_of(const fs::path& snapshot) {
  std::vector<RepositoryFile> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(snapshot, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (!fs::is_regular_file(entry->path(), ignored)) continue;
    RepositoryFile file;
    file.name = entry->path().lexically_relative(snapshot).generic_string();
    files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

bool RepositoryCache::has(const std::string& commit, const RepositoryFile& file) const {
  std::error_code error;
  const fs::path path = snapshot(commit) / file.name;
  if (!fs::is_regular_file(path, error)) return false;
  // What Hugging Face calls a commit does not change.
  if (kind_ == HubKind::huggingface) return true;
  if (!file.digest.empty() && fs::equivalent(path, blob(file.digest), error)) return true;
  return is_listed(path, file, false);
}

void RepositoryCache::remember_commit(const std::string& commit) const {
  if (repository_.revision == commit) return;
  const fs::path ref = folder_ / "refs" / repository_.revision;
  std::error_code error;
  if (fs::is_regular_file(ref, error) && formats::read_whole_file(ref, kLargestRef) == commit) {
    return;
  }
  make_folders(ref.parent_path());
  formats::PosixFileSystem files;
  formats::write_whole_file(files, ref, commit);
}

// Made beside the blobs and renamed: what had the name stays until the other has it.
void RepositoryCache::link(const std::string& commit, const std::string& name,
                           const std::string& digest) const {
  const fs::path file = snapshot(commit) / name;
  make_folders(file.parent_path());
  const fs::path made = folder_ / "blobs" / fmt::format("link.{}", ::getpid());
  std::error_code error;
  fs::remove(made, error);
  if (kind_ == HubKind::huggingface) {
    fs::create_symlink(way_to_blob(name, digest), made, error);
  } else {
    fs::create_hard_link(blob(digest), made, error);
  }
  if (!error) fs::rename(made, file, error);
  if (error) throw UserError(formats::system_fault("link", file, error.value()));
  fs::remove(made, error);  // still there where both were the same file
}

std::vector<fs::path> RepositoryCache::earlier_folders() const {
  if (kind_ != HubKind::modelscope) return {};
  const fs::path id = repository_.id;
  const fs::path place = id.parent_path() / replaced(id.filename().string(), '.', "___");
  const fs::path kind = plural(repository_);
  return {cache_ / kind / place, cache_ / "hub" / kind / place, cache_ / "hub" / place};
}

bool RepositoryCache::take_earlier_copy(const RepositoryFile& file) const {
  for (const fs::path& folder : earlier_folders()) {
    if (!is_listed(folder / file.name, file, true)) continue;
    make_folders(folder_ / "blobs");
    std::error_code error;
    fs::create_hard_link(folder / file.name, blob(file.digest), error);
    return !error || error == std::errc::file_exists;
  }
  return false;
}

RepositoryCache::Lock::Lock(const RepositoryCache& cache, const std::string& digest,
                            const std::function<void()>& held) {
  const fs::path file = cache.cache_ / ".locks" / cache.name_ / (digest + ".lock");
  make_folders(file.parent_path());
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw UserError(formats::system_fault("open", file, errno));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  // A file system without locks: two processes at worst fetch the same bytes, which are checked.
  if (errno != EWOULDBLOCK) return;
  held();
  while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) continue;
}

RepositoryCache::Lock::~Lock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace hone::hub
