// Trials of what a hub answers.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "hub/hub_answers.h"
#include "hub/listing.h"
#include "hub/name_pattern.h"

namespace hone::hub {

inline void expect(bool held, const char* what) {
  if (!held) throw std::logic_error(what);
}

// Lists of files, of both hubs: nothing in them leads out of a folder.
inline bool try_hub_listing(std::string_view input) {
  const std::string text(input);
  bool read = false;
  for (const ListingAnswer& answer : {huggingface_listing(text), modelscope_listing(text)}) {
    if (!answer.fault.empty()) continue;
    read = true;
    expect(answer.listing.files.size() <= answer.entries, "more files than entries");
    for (const RepositoryFile& file : answer.listing.files) {
      expect(is_safe_file_name(file.name), "a name that leaves its folder");
      expect(file.digest.empty() || is_digest(file.digest), "a digest that is none");
    }
  }
  return read;
}

// The first line a pattern, the second a name; a name as its own pattern fits.
inline bool try_name_pattern(std::string_view input) {
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return false;
  const std::string_view name = input.substr(end + 1);
  if (name.find_first_of("*?[") == std::string_view::npos)
    expect(matches(name, name), "not its own");
  return matches(input.substr(0, end), name);
}

inline bool try_wished_wait(std::string_view input) {
  bool found = false;
  for (const char* header : {"retry-after", "ratelimit"}) {
    const std::optional<double> seconds =
        wished_wait({{header, std::string(input)}}, 1'700'000'000);
    expect(!seconds || *seconds >= 0, "a wait that is none");
    found = found || seconds;
  }
  return found;
}

}  // namespace hone::hub
