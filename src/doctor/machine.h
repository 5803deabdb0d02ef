// What the files of a machine say: /sys, /proc, /dev and the folders of ROCm below a root folder.
//
// The root is "/" for this machine, or a folder with a copy of another one's files. A copy cannot
// hold devices, so a text file beside it, `dev.txt`, says what they were: one line per device, as
//   stat -c '%A %u %g %t %n' /dev/kfd /dev/dri/* /dev/infiniband/*
// prints it ("crw-rw---- 0 109 ea /dev/kfd"), optionally with the error that opening it gave at the
// end (EINVAL, ENOMEM, EPERM). Without a line a device counts as openable when its file is there.
// User, groups and limits are those of proc/self/status and proc/self/limits.
//
// Nothing here fails: what cannot be read is not known.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::doctor {

struct DeviceFile {
  bool exists = false;
  int open_error = 0;  // errno of opening it for reading and writing; 0: it opens
  std::optional<unsigned> group;
  std::optional<unsigned> major;
};

// Of proc/self/limits; nothing: unlimited.
struct Limit {
  std::optional<std::uint64_t> soft;
  std::optional<std::uint64_t> hard;
};

class Machine {
 public:
  // `variables` are the environment, "NAME=value" each. An empty value is no variable.
  Machine(std::filesystem::path root, const std::vector<std::string>& variables);

  const std::filesystem::path& root() const { return root_; }
  bool is_this_one() const { return root_ == "/"; }

  // Paths are absolute as on the machine: "/proc/cmdline".
  bool exists(std::string_view path) const;
  // A small file's text without blanks at its ends; nothing when it cannot be read.
  std::optional<std::string> text(std::string_view path) const;
  std::string text_or_empty(std::string_view path) const { return text(path).value_or(""); }
  // The whole number that the file begins with, decimal or with 0x.
  std::optional<std::int64_t> number(std::string_view path) const;
  // "key value" or "key: value" lines.
  std::map<std::string, std::string> table(std::string_view path) const;
  // The names in a folder, in order; numbers within names count as numbers. Empty: no such folder.
  std::vector<std::string> names(std::string_view folder) const;
  // The last part of what a link points at ("amdgpu" for .../driver); empty when it is none.
  std::string link_name(std::string_view path) const;

  DeviceFile device(std::string_view path) const;
  std::optional<Limit> limit(std::string_view name) const;  // "Max open files"; nothing: not known
  std::optional<std::string> variable(std::string_view name) const;
  const std::map<std::string, std::string>& variables() const { return variables_; }
  // Lines of the kernel's log; nothing when it may not be read.
  std::optional<std::vector<std::string>> kernel_log() const;

  bool in_container() const;
  bool is_wsl() const;
  bool is_root_user() const;
  bool in_group(unsigned group) const;
  std::string kernel_release() const { return text_or_empty("/proc/sys/kernel/osrelease"); }
  std::string kernel_options() const { return text_or_empty("/proc/cmdline"); }

 private:
  std::filesystem::path place(std::string_view path) const;
  DeviceFile listed_device(std::string_view path) const;

  std::filesystem::path root_;
  std::map<std::string, std::string> variables_;
};

// The words of a text, cut at blanks.
std::vector<std::string> words(std::string_view text);
// The lines of a text, without line ends.
std::vector<std::string> lines(std::string_view text);
// Adds an item to a list in a text: "a" -> "a, b".
void append_item(std::string& list, std::string_view separator, std::string_view item);
// The numbers of "6.12.12-1 x": 6, 12, 12. Empty when it begins with something else.
std::vector<int> version_numbers(std::string_view text);

}  // namespace hone::doctor
