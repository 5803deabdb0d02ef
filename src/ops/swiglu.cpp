#include "ops/swiglu.h"

#include "ops/operand_rules.h"

namespace hone::ops {

void check(const SwiGluForward& op) {
  HONE_OPERAND_SHAPE(op.up, op.gate.shape()[0], op.gate.shape()[1]);
  HONE_OPERAND_SHAPE(op.out, op.gate.shape()[0], op.gate.shape()[1]);
}

void check(const SwiGluBackward& op) {
  for (const ConstTensorView& operand :
       {op.d_out, op.up, ConstTensorView(op.d_gate), ConstTensorView(op.d_up)}) {
    HONE_ASSERT(operand.shape() == op.gate.shape(), operand.shape().to_text());
  }
}

Cost cost(const SwiGluForward& op) {
  return {5.0 * static_cast<double>(op.gate.elements()), 3.0 * bytes_of(op.gate)};
}

Cost cost(const SwiGluBackward& op) {
  return {10.0 * static_cast<double>(op.gate.elements()), 5.0 * bytes_of(op.gate)};
}

}  // namespace hone::ops
