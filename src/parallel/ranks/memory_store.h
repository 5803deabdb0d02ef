// The map itself, in the memory of one process; from any thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "parallel/ranks/key_value_store.h"

namespace hone::parallel {

class MemoryStore final : public KeyValueStore {
 public:
  void set(const std::string& key, const std::string& value) override;
  std::string get(const std::string& key, std::chrono::milliseconds limit) override;

  // The value if it is there within the limit.
  std::optional<std::string> find(const std::string& key, std::chrono::milliseconds limit);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::string> values_;
};

// The error of a get() whose limit has passed.
[[noreturn]] void refuse_missing_key(const std::string& key, std::chrono::milliseconds limit);

}  // namespace hone::parallel
