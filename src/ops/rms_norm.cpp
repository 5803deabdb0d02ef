#include "ops/rms_norm.h"

#include "ops/operand_rules.h"

namespace hone::ops {
namespace {

void check_inv_rms(const ConstTensorView& inv_rms, const ConstTensorView& x) {
  if (x.shape().rank() == 3) {
    HONE_OPERAND_SHAPE(inv_rms, x.shape()[0], x.shape()[1]);
  } else {
    HONE_OPERAND_SHAPE(inv_rms, x.shape()[0]);
  }
}

void check_same(const ConstTensorView& operand, const ConstTensorView& x) {
  HONE_ASSERT(operand.shape() == x.shape(), operand.shape().to_text(), x.shape().to_text());
  HONE_OPERAND_DTYPE(operand, x.dtype());
}

}  // namespace

void check(const RmsNormForward& op) {
  HONE_ASSERT(op.x.shape().rank() == 2 || op.x.shape().rank() == 3, op.x.shape().to_text());
  check_same(op.y, op.x);
  HONE_OPERAND_SHAPE(op.weight, op.x.shape()[-1]);
  HONE_ASSERT(is_weight_dtype(op.weight.dtype(), op.x.dtype()), name(op.weight.dtype()));
  check_inv_rms(op.inv_rms, op.x);
  HONE_ASSERT(op.delta.present() == op.sum.present() || op.x.rows() == 0);
  if (op.delta.present()) {
    check_same(op.delta, op.x);
    check_same(op.sum, op.x);
  }
}

void check(const RmsNormBackward& op) {
  check_same(op.d_y, op.x);
  check_same(op.d_x, op.x);
  check_inv_rms(op.inv_rms, op.x);
  HONE_OPERAND_SHAPE(op.weight, op.x.shape()[-1]);
  if (op.d_weight.present()) HONE_OPERAND_SHAPE(op.d_weight, op.x.shape()[-1]);
}

Cost cost(const RmsNormForward& op) {
  const double elements = static_cast<double>(op.x.elements());
  const double passes = op.delta.present() ? 4.0 : 2.0;
  return {(op.delta.present() ? 5.0 : 4.0) * elements, passes * bytes_of(op.x)};
}

Cost cost(const RmsNormBackward& op) {
  const double elements = static_cast<double>(op.x.elements());
  return {(op.d_weight.present() ? 10.0 : 8.0) * elements, 4.0 * bytes_of(op.x)};
}

}  // namespace hone::ops
