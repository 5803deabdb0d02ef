// The reference kernels: scalar, obvious, the meaning of every operation. Operands of f32, bf16 and
// f16 are computed in double; operands of c128 in complex<double>, for gradient proofs. One thread.
#pragma once

#include "ops/op_table.h"

namespace hone::kernels {

const ops::OpTable& reference_table();

}  // namespace hone::kernels
