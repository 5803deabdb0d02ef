#include "formats/model_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/error.h"
#include "formats/regular_file.h"
#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

namespace fs = std::filesystem;

// What is wrong with a name as text; empty when nothing is.
std::string fault_of_name(std::string_view name) {
  if (name.empty()) return "an empty file name";
  if (name.find('\0') != std::string_view::npos) return "a zero byte in the file name";
  if (name.find('\\') != std::string_view::npos) return "a backslash in the file name";
  const fs::path path(name);
  if (path.is_absolute()) return "an absolute path";
  for (const fs::path& part : path) {
    if (part == "..") return "a path that leaves the model's folder";
    if (part == "." || part.empty()) return "a path that is not the plain name of a file";
  }
  return "";
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  const auto mismatch = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return mismatch.first == folder.end() && mismatch.second != path.end();
}

// The blobs of a hub cache; empty when the folder is not part of one.
fs::path blobs_of(const fs::path& folder) {
  const fs::path snapshots = folder.parent_path();
  const fs::path model = snapshots.parent_path();
  const bool is_cache =
      snapshots.filename() == "snapshots" && model.filename().native().rfind("models--", 0) == 0;
  return is_cache ? model / "blobs" : fs::path();
}

}  // namespace

fs::path resolve_in_folder(const fs::path& folder, std::string_view name,
                           const std::string& asked) {
  const auto refuse = [&](const std::string& found, const std::string& remedy) {
    throw UserError({asked, fmt::format("{}: \"{}\"", found, printable(name)), remedy});
  };
  const std::string fault = fault_of_name(name);
  if (!fault.empty()) refuse(fault, "use a model whose files name only files of its own folder");
  std::error_code error;
  const fs::path home = fs::canonical(folder, error);
  if (error) throw UserError(system_fault("open", folder, error.value()));
  const fs::path target = fs::canonical(folder / fs::path(name), error);
  if (error) refuse(error.message(), "download the missing file, or the whole model again");
  const fs::path blobs = blobs_of(home);
  if (!is_inside(target, home) && (blobs.empty() || !is_inside(target, blobs))) {
    refuse("a link that leaves the model's folder", "put the file itself into the folder");
  }
  if (!fs::is_regular_file(target, error)) {
    refuse("not a plain file", "use a model whose files name only files of its own folder");
  }
  return target;
}

}  // namespace hone::formats
