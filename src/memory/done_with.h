// Telling the owner of memory that values will not be touched for a while: what lies in files may
// then leave memory.
#pragma once

#include <functional>

#include "base/tensor_view.h"

namespace hone {

using DoneWith = std::function<void(const ConstTensorView& values)>;

}  // namespace hone
