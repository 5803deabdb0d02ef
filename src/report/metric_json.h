// Measured values as JSON.
#pragma once

#include <string>

#include "formats/value.h"
#include "report/log_entry.h"

namespace hone::report {

// null for nothing and for a double that is not finite: JSON has no word for those, and Python's
// NaN and Infinity are refused by every other reader.
formats::Value to_json(const Measured& value);

// An object, in the order of the metrics.
formats::Value to_json(const Metrics& metrics);

// Python's json.dumps(value, indent=indent, sort_keys=True).
std::string sorted_json(const formats::Value& value, int indent);

}  // namespace hone::report
