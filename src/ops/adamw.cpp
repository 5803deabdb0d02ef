#include "ops/adamw.h"

#include "ops/operand_rules.h"

namespace hone::ops {

void check(const AdamW& op) {
  const std::int64_t elements = op.gradient.elements();
  for (const ConstTensorView& operand :
       {op.gradient, ConstTensorView(op.weight), ConstTensorView(op.first_moment),
        ConstTensorView(op.second_moment)}) {
    HONE_OPERAND_SHAPE(operand, elements);
  }
  HONE_OPERAND_DTYPE(op.second_moment, op.first_moment.dtype());
  HONE_ASSERT(op.step >= 1, op.step);
}

Cost cost(const AdamW& op) {
  return {15.0 * static_cast<double>(op.gradient.elements()),
          bytes_of(op.gradient) +
              2.0 * (bytes_of(op.weight) + bytes_of(op.first_moment) + bytes_of(op.second_moment))};
}

}  // namespace hone::ops
