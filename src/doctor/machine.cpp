#include "doctor/machine.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>

#include "formats/regular_file.h"

namespace hone::doctor {
namespace {

constexpr std::size_t kMostBytes = 1u << 20;     // of one file; those of /sys are pages
constexpr std::size_t kMostLogBytes = 8u << 20;  // of the kernel's log
constexpr std::size_t kMostNames = 1u << 16;     // of one folder

std::string trimmed(std::string text) {
  constexpr std::string_view kBlanks(" \t\r\n\0", 5);
  text.erase(text.find_last_not_of(kBlanks) + 1);
  text.erase(0, std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

// Does not wait: a pipe has nothing, and the kernel's log ends where it is now.
std::optional<std::string> read_some(const std::filesystem::path& file, std::size_t limit_bytes) {
  const formats::FileDescriptor descriptor(
      open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (descriptor.get() < 0) return std::nullopt;
  std::string bytes;
  std::array<char, 16384> block;
  while (bytes.size() < limit_bytes) {
    const ssize_t count = read(descriptor.get(), block.data(), block.size());
    if (count < 0 && (errno == EINTR || errno == EPIPE))
      continue;  // EPIPE: a record was overwritten
    if (count < 0 && errno != EAGAIN && bytes.empty()) return std::nullopt;
    if (count <= 0) break;
    bytes.append(block.data(), static_cast<std::size_t>(count));
  }
  return bytes;
}

bool is_regular(const std::filesystem::path& file) {
  struct stat status = {};
  return stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

// "card2" before "card10".
bool natural_order(const std::string& left, const std::string& right) {
  const auto parts = [](const std::string& name) {
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    return std::pair(name.substr(0, digits), name.substr(digits));
  };
  const auto [left_stem, left_number] = parts(left);
  const auto [right_stem, right_number] = parts(right);
  if (left_stem != right_stem) return left < right;
  if (left_number.size() != right_number.size()) return left_number.size() < right_number.size();
  return left_number < right_number;
}

std::optional<std::uint64_t> limit_value(const std::string& word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  (void)end;
  if (error != std::errc()) return std::nullopt;
  return value;
}

}  // namespace

Machine::Machine(std::filesystem::path root, const std::vector<std::string>& variables)
    : root_(std::filesystem::absolute(root).lexically_normal()) {
  if (!root_.has_filename() && root_ != "/") root_ = root_.parent_path();
  for (const std::string& variable : variables) {
    const std::size_t equals = variable.find('=');
    if (equals == std::string::npos || equals + 1 == variable.size()) continue;
    variables_.emplace(variable.substr(0, equals), variable.substr(equals + 1));
  }
}

std::filesystem::path Machine::place(std::string_view path) const {
  std::filesystem::path place = root_ / path.substr(path.empty() || path[0] != '/' ? 0 : 1);
  if (is_this_one()) return place;
  // /opt/rocm is often an absolute link, which in a copy means the copy's folder.
  std::error_code error;
  std::filesystem::path walked = root_;
  for (const std::filesystem::path& part : place.lexically_relative(root_)) {
    walked /= part;
    const std::filesystem::path target = std::filesystem::read_symlink(walked, error);
    if (!error && target.is_absolute()) walked = root_ / target.relative_path();
  }
  return walked;
}

bool Machine::exists(std::string_view path) const {
  std::error_code error;
  return std::filesystem::exists(place(path), error);
}

std::optional<std::string> Machine::text(std::string_view path) const {
  const std::filesystem::path file = place(path);
  if (!is_regular(file)) return std::nullopt;
  std::optional<std::string> bytes = read_some(file, kMostBytes);
  if (bytes) bytes = trimmed(std::move(*bytes));
  return bytes;
}

std::optional<std::int64_t> Machine::number(std::string_view path) const {
  const std::optional<std::string> read = text(path);
  if (!read) return std::nullopt;
  std::string_view digits = *read;
  const bool hexadecimal = digits.substr(0, 2) == "0x";
  if (hexadecimal) digits.remove_prefix(2);
  std::int64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
  (void)end;
  if (error != std::errc()) return std::nullopt;
  return value;
}

std::map<std::string, std::string> Machine::table(std::string_view path) const {
  std::map<std::string, std::string> found;
  for (const std::string& line : lines(text_or_empty(path))) {
    const std::size_t end = line.find_first_of(" :\t");
    if (end == std::string::npos || end == 0) continue;
    const std::size_t value = std::min(line.find_first_not_of(" :\t", end), line.size());
    found.emplace(line.substr(0, end), trimmed(line.substr(value)));
  }
  return found;
}

std::vector<std::string> Machine::names(std::string_view folder) const {
  std::vector<std::string> found;
  std::error_code error;
  std::filesystem::directory_iterator entries(place(folder), error);
  for (; !error && entries != std::filesystem::directory_iterator() && found.size() < kMostNames;
       entries.increment(error)) {
    found.push_back(entries->path().filename().string());
  }
  std::sort(found.begin(), found.end(), natural_order);
  return found;
}

std::string Machine::link_name(std::string_view path) const {
  std::error_code error;
  const std::filesystem::path link =
      root_ / path.substr(path.empty() || path[0] != '/' ? 0 : 1);  // itself, not what it means
  return std::filesystem::read_symlink(link, error).filename().string();
}

DeviceFile Machine::device(std::string_view path) const {
  if (!is_this_one()) return listed_device(path);
  DeviceFile found;
  const std::string file(path);
  struct stat status = {};
  if (stat(file.c_str(), &status) != 0) {
    found.exists = errno != ENOENT && errno != ENOTDIR;
    found.open_error = errno;
    return found;
  }
  found = {true, 0, status.st_gid, static_cast<unsigned>(major(status.st_rdev))};
  const formats::FileDescriptor descriptor(
      open(file.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (descriptor.get() < 0) found.open_error = errno;
  return found;
}

DeviceFile Machine::listed_device(std::string_view path) const {
  for (const std::string& line : lines(text_or_empty("/dev.txt"))) {
    const std::vector<std::string> parts = words(line);
    if (parts.size() < 5 || parts[4] != path || parts[0].size() < 10) continue;
    DeviceFile found;
    found.exists = true;
    const unsigned owner = static_cast<unsigned>(std::strtoul(parts[1].c_str(), nullptr, 10));
    found.group = static_cast<unsigned>(std::strtoul(parts[2].c_str(), nullptr, 10));
    found.major = static_cast<unsigned>(std::strtoul(parts[3].c_str(), nullptr, 16));
    const std::vector<std::string> users = words(table("/proc/self/status")["Uid"]);
    const bool owns = !users.empty() && users[0] == std::to_string(owner);
    const std::size_t bits = owns ? 1 : (in_group(*found.group) ? 4 : 7);
    const bool allowed = is_root_user() || parts[0].substr(bits, 2) == "rw";
    if (!allowed) found.open_error = EACCES;
    const std::string result = parts.size() > 5 ? parts[5] : "";
    if (result == "EINVAL") found.open_error = EINVAL;
    if (result == "ENOMEM") found.open_error = ENOMEM;
    if (result == "EPERM") found.open_error = EPERM;
    return found;
  }
  const bool there = exists(path);
  return {there, there ? 0 : ENOENT, std::nullopt, std::nullopt};
}

std::optional<Limit> Machine::limit(std::string_view name) const {
  for (const std::string& line : lines(text_or_empty("/proc/self/limits"))) {
    if (line.rfind(name, 0) != 0) continue;
    const std::vector<std::string> values = words(std::string_view(line).substr(name.size()));
    if (values.size() < 2) return std::nullopt;
    return Limit{limit_value(values[0]), limit_value(values[1])};
  }
  return std::nullopt;
}

std::optional<std::string> Machine::variable(std::string_view name) const {
  const auto found = variables_.find(std::string(name));
  if (found == variables_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::vector<std::string>> Machine::kernel_log() const {
  const std::optional<std::string> bytes = read_some(place("/dev/kmsg"), kMostLogBytes);
  if (!bytes) return std::nullopt;
  std::vector<std::string> found;
  for (std::string& line : lines(*bytes)) {
    // A record begins "priority,number,microseconds,flags;"; lines after it begin with a blank.
    const std::size_t end = line.find(';');
    const bool record =
        end != std::string::npos &&
        std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(end), ',') >= 3 &&
        line.find(' ') > end;
    found.push_back(record ? line.substr(end + 1) : std::move(line));
  }
  return found;
}

bool Machine::in_container() const {
  return exists("/.dockerenv") || exists("/run/.containerenv") ||
         text_or_empty("/proc/1/environ").find("container=") != std::string::npos;
}

bool Machine::is_wsl() const {
  std::string release = kernel_release();
  std::transform(release.begin(), release.end(), release.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return release.find("microsoft") != std::string::npos;
}

bool Machine::is_root_user() const {
  const std::vector<std::string> users = words(table("/proc/self/status")["Uid"]);
  return users.size() > 1 && users[1] == "0";
}

bool Machine::in_group(unsigned group) const {
  const std::map<std::string, std::string> status = table("/proc/self/status");
  const std::string name = std::to_string(group);
  for (const char* key : {"Gid", "Groups"}) {
    const auto found = status.find(key);
    if (found == status.end()) continue;
    const std::vector<std::string> groups = words(found->second);
    if (std::find(groups.begin(), groups.end(), name) != groups.end()) return true;
  }
  return false;
}

}  // namespace hone::doctor
