#include "doctor/knowledge/entry.h"

#include <string>

#include "base/error.h"

namespace hone::doctor {

std::string_view grade_name(Grade grade) {
  switch (grade) {
    case Grade::note:
      return "note";
    case Grade::warning:
      return "warning";
    case Grade::failure:
      return "failure";
  }
  HONE_ASSERT(false, static_cast<int>(grade));
}

std::vector<const Entry*> all_entries() {
  std::vector<const Entry*> all;
  for (const std::span<const Entry> group :
       {discovery_entries(), driver_entries(), binary_entries(), blas_entries(), launch_entries(),
        memory_entries(), fault_entries(), network_entries(), numerics_entries(),
        environment_entries(), host_entries()}) {
    for (const Entry& entry : group) all.push_back(&entry);
  }
  return all;
}

const Entry& entry(std::string_view id) {
  for (const Entry* candidate : all_entries()) {
    if (candidate->id == id) return *candidate;
  }
  throw InternalError("no entry " + std::string(id));
}

std::string_view when_detectable(const Entry& entry) {
  if (entry.checked && !entry.patterns.empty()) return "before a run, and from its text";
  if (entry.checked) return "before a run";
  if (!entry.patterns.empty()) return "from its text";
  return "not by hone";
}

}  // namespace hone::doctor
