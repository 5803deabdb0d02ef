// The element types of the safetensors format.
#pragma once

#include <optional>
#include <string_view>

#include "base/dtype.h"

namespace hone::formats {

struct SafetensorsDType {
  std::string_view name;       // as the file writes it: "BF16"
  int bits = 0;                // of one element
  std::optional<DType> dtype;  // nothing: known by name and size, but hone cannot hold it
  int order = 0;               // files hold tensors of a higher order first
};

// nullptr for a name that the format does not have.
const SafetensorsDType* find_safetensors_dtype(std::string_view name);

// How the format names a dtype of ours; nullptr for c128, which is never in a file.
const SafetensorsDType* safetensors_dtype_of(DType dtype);

}  // namespace hone::formats
