#include "parallel/ranks/agreement.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"

namespace hone::parallel {
namespace {

// Each text as its length, a colon, and its bytes.
std::string packed(const RankFacts& facts) {
  std::string text;
  for (const auto& [name, value] : facts) {
    text += fmt::format("{}:{}{}:{}", name.size(), name, value.size(), value);
  }
  return text;
}

std::string next_text(const std::string& packed_text, std::size_t& at) {
  const std::size_t colon = packed_text.find(':', at);
  HONE_ASSERT(colon != std::string::npos, at);
  const std::size_t size = std::stoul(packed_text.substr(at, colon - at));
  HONE_ASSERT(size <= packed_text.size() - colon - 1, size, packed_text.size());
  at = colon + 1 + size;
  return packed_text.substr(colon + 1, size);
}

std::map<std::string, std::string> unpacked(const std::string& text) {
  std::map<std::string, std::string> facts;
  for (std::size_t at = 0; at < text.size();) {
    const std::string name = next_text(text, at);
    facts[name] = next_text(text, at);
  }
  return facts;
}

std::string shown(const std::map<std::string, std::string>& facts, const std::string& name) {
  const auto found = facts.find(name);
  return found == facts.end() ? "none" : "'" + found->second + "'";
}

}  // namespace

void compare_between_ranks(KeyValueStore& store, const std::string& what, int rank, int ranks,
                           const RankFacts& facts, std::chrono::milliseconds limit) {
  const auto key = [&](int of) { return fmt::format("agreement/{}/{}", what, of); };
  store.set(key(rank), packed(facts));
  const std::map<std::string, std::string> first = unpacked(store.get(key(0), limit));
  FaultList faults;
  for (int other = 1; other < ranks; ++other) {
    const std::map<std::string, std::string> theirs = unpacked(store.get(key(other), limit));
    std::map<std::string, std::string> names = first;
    names.insert(theirs.begin(), theirs.end());
    for (const auto& [name, value] : names) {
      if (shown(first, name) == shown(theirs, name)) continue;
      faults.add({fmt::format("{} must be the same on all ranks", name),
                  fmt::format("rank 0 has {}, rank {} has {}", shown(first, name), other,
                              shown(theirs, name)),
                  "start all ranks with the same program, configuration and data"});
    }
  }
  faults.throw_if_any();
}

}  // namespace hone::parallel
