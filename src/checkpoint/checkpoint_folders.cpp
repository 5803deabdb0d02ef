#include "checkpoint/checkpoint_folders.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace hone::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStart = "checkpoint-";
constexpr std::string_view kPartial = ".partial";
constexpr std::string_view kRemoved = ".removed";

fs::path with_end(fs::path path, std::string_view end) {
  path += end;
  return path;
}

// The number of checkpoint-<number><end>.
std::optional<std::int64_t> number_of(const fs::path& path, std::string_view end) {
  const std::string name = path.filename().string();
  if (name.size() <= kStart.size() + end.size() || name.compare(0, kStart.size(), kStart) != 0 ||
      name.compare(name.size() - end.size(), end.size(), end) != 0) {
    return std::nullopt;
  }
  const char* first = name.data() + kStart.size();
  const char* last = name.data() + name.size() - end.size();
  if (*first < '0' || *first > '9') return std::nullopt;  // no sign
  std::int64_t number = 0;
  const std::from_chars_result result = std::from_chars(first, last, number);
  if (result.ec != std::errc() || result.ptr != last) return std::nullopt;
  return number;
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    paths.push_back(entry->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<fs::path> numbered(const fs::path& output_dir, std::string_view end) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const fs::path& path : entries(output_dir)) {
    if (number_of(path, end) && fs::is_directory(path, ignored)) found.push_back(path);
  }
  std::stable_sort(found.begin(), found.end(), [end](const fs::path& left, const fs::path& right) {
    return *number_of(left, end) < *number_of(right, end);
  });
  return found;
}

}  // namespace

fs::path checkpoint_folder(const fs::path& output_dir, std::int64_t step) {
  return output_dir / (std::string(kStart) + std::to_string(step));
}

fs::path partial_name(const fs::path& checkpoint) {
  return with_end(checkpoint, kPartial);
}

fs::path removed_name(const fs::path& checkpoint) {
  return with_end(checkpoint, kRemoved);
}

std::optional<std::int64_t> checkpoint_number(const fs::path& folder) {
  return number_of(folder, "");
}

std::vector<fs::path> checkpoint_folders(const fs::path& output_dir) {
  return numbered(output_dir, "");
}

std::vector<fs::path> partial_folders(const fs::path& output_dir) {
  return numbered(output_dir, kPartial);
}

std::vector<fs::path> removed_folders(const fs::path& output_dir) {
  return numbered(output_dir, kRemoved);
}

std::vector<fs::path> unlike_checkpoints(const fs::path& output_dir) {
  std::vector<fs::path> others;
  std::error_code ignored;
  for (const fs::path& path : entries(output_dir)) {
    if (path.filename().string().compare(0, kStart.size(), kStart) != 0) continue;
    const bool known =
        number_of(path, "") || number_of(path, kPartial) || number_of(path, kRemoved);
    if (!known || !fs::is_directory(path, ignored)) others.push_back(path);
  }
  return others;
}

}  // namespace hone::checkpoint
