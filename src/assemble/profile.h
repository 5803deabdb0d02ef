// Sums of what operations took, for `profile: true`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "device/interface/device.h"
#include "ops/op_context.h"
#include "report/profile_table.h"

namespace hone::assemble {

class Profile final : public ops::ProfileSink {
 public:
  void record(std::string_view op, const ops::Cost& cost, double seconds) override;
  std::vector<report::ProfileRow> rows() const;

 private:
  std::map<std::string, report::ProfileRow, std::less<>> rows_;
};

// What this machine can do, measured now: a large product, and a copy that no cache holds.
report::Roof measure_roof(const ops::OpTable& table, Device& device);

}  // namespace hone::assemble
