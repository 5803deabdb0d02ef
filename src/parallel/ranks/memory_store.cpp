#include "parallel/ranks/memory_store.h"

#include <fmt/format.h>

#include "base/error.h"

namespace hone::parallel {

void MemoryStore::set(const std::string& key, const std::string& value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  values_[key] = value;
  changed_.notify_all();
}

std::optional<std::string> MemoryStore::find(const std::string& key,
                                             std::chrono::milliseconds limit) {
  std::unique_lock<std::mutex> lock(mutex_);
  const bool there = changed_.wait_for(lock, limit, [&] { return values_.count(key) > 0; });
  return there ? std::optional<std::string>(values_[key]) : std::nullopt;
}

std::string MemoryStore::get(const std::string& key, std::chrono::milliseconds limit) {
  const std::optional<std::string> value = find(key, limit);
  if (!value) refuse_missing_key(key, limit);
  return *value;
}

void refuse_missing_key(const std::string& key, std::chrono::milliseconds limit) {
  throw UserError(
      {fmt::format("'{}' from another rank", key),
       fmt::format("nothing within {:.1f} s", std::chrono::duration<double>(limit).count()),
       "see that all ranks were started, with the same MASTER_ADDR and MASTER_PORT, and look at "
       "their logs"});
}

}  // namespace hone::parallel
