// The op table of a card: the kernels of kernels/gpu, each followed by a wait for the stream, and
// the library's products.
#pragma once

#include "ops/op_table.h"

namespace hone::kernels::rocm {

const ops::OpTable& settled_table();

}  // namespace hone::kernels::rocm
