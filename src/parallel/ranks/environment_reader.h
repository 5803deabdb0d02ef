// Variables of an environment, and everything that is wrong with them at once.
#pragma once

#include <map>
#include <string>

#include "base/error.h"

namespace hone::parallel {

// Given as data: the library reads none.
using Environment = std::map<std::string, std::string>;

// true, y, 1 in any case, as LLaMA-Factory reads switches.
bool is_on(std::string value);

class EnvironmentReader {
 public:
  // `environment` must outlive this object.
  explicit EnvironmentReader(const Environment& environment) : environment_(environment) {}

  // A variable without a value counts as not set.
  bool has(const std::string& name) const;
  std::string text(const std::string& name, const std::string& otherwise = {}) const;
  // "WORLD_SIZE=4"
  std::string shown(const std::string& name) const { return name + "=" + text(name); }

  // A whole number in [least, most]; `otherwise` when it is not set; `least` when it is wrong,
  // which is a fault. `beside`: a variable that sets the limit.
  int number(const std::string& name, int least, int most, int otherwise,
             const std::string& beside = {});
  // The same of a variable that must be there. `beside`: what asks for it, or sets the limit.
  int required_number(const std::string& name, int least, int most, const std::string& beside);

  void refuse(Fault fault) { faults_.add(std::move(fault)); }
  void throw_if_any() const { faults_.throw_if_any(); }

 private:
  const Environment& environment_;
  FaultList faults_;
};

}  // namespace hone::parallel
