// JSON text as Python's json.dumps writes it, so that our files and the ecosystem's are the same
// bytes.
#pragma once

#include <optional>
#include <string>

#include "formats/value.h"

namespace hone::formats {

// The arguments of json.dumps that matter, with its defaults.
struct PythonStyle {
  std::optional<int> indent;  // nothing: all on one line
  bool ensure_ascii = true;   // other characters as \uXXXX, in pairs above U+FFFF
  bool sort_keys = false;     // by code point
  bool compact = false;       // separators=(",", ":")
};

// Numbers as Python's repr: the shortest digits that read back the same, "1e-05", "0.0", "1e+16".
// What JSON cannot hold is written as null (NaN, infinities); bytes that are not UTF-8 as U+FFFD.
std::string dump_python(const Value& value, const PythonStyle& style = {});

// One number as Python's repr writes a float; "nan", "inf" and "-inf" included.
std::string python_repr(double value);

}  // namespace hone::formats
