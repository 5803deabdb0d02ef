#include "report/metric_json.h"

#include "formats/json_writer.h"

namespace hone::report {

formats::Value to_json(const Measured& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (is_number(value)) return to_number(value);
  return nullptr;
}

formats::Value to_json(const Metrics& metrics) {
  formats::Value object = formats::Object();
  for (const Metric& metric : metrics) object.set(metric.key, to_json(metric.value));
  return object;
}

std::string sorted_json(const formats::Value& value, int indent) {
  formats::PythonStyle style;
  style.indent = indent;
  style.sort_keys = true;
  return formats::dump_python(value, style);
}

}  // namespace hone::report
