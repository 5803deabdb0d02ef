// A small map that all ranks of a run share: addresses, agreements, names of errors.
#pragma once

#include <chrono>
#include <string>

namespace hone::parallel {

class KeyValueStore {
 public:
  virtual ~KeyValueStore() = default;

  // Sets or replaces. Values are bytes.
  virtual void set(const std::string& key, const std::string& value) = 0;

  // The value, once it is there. Throws UserError, naming the key, when the limit passes first.
  virtual std::string get(const std::string& key, std::chrono::milliseconds limit) = 0;
};

}  // namespace hone::parallel
