#include "ops/lora.h"

#include "ops/operand_rules.h"

namespace hone::ops {
namespace {

double flops(std::int64_t rows, std::int64_t inner, std::int64_t columns) {
  return 2.0 * static_cast<double>(rows) * static_cast<double>(inner) *
         static_cast<double>(columns);
}

void check_dropout(const Dropout& dropout, std::int64_t rows, std::int64_t columns) {
  if (!dropout.active()) return;
  HONE_ASSERT(dropout.probability < 1.0, dropout.probability);
  HONE_ASSERT(static_cast<std::int64_t>(dropout.key_of_row.size()) == rows, rows);
  HONE_ASSERT(dropout.channel < 4096 && columns / 4 < (1 << 20), dropout.channel, columns);
}

}  // namespace

void check(const LoraDown& op) {
  HONE_OPERAND_SHAPE(op.h, op.x.shape()[0], op.a.shape()[0]);
  HONE_OPERAND_SHAPE(op.a, op.a.shape()[0], op.x.shape()[1]);
  HONE_OPERAND_DTYPE(op.a, op.x.dtype());
  HONE_OPERAND_DTYPE(op.h, op.x.dtype());
  check_dropout(op.dropout, op.x.rows(), op.x.columns());
}

void check(const LoraUp& op) {
  HONE_OPERAND_SHAPE(op.y, op.h.shape()[0], op.b.shape()[0]);
  HONE_OPERAND_SHAPE(op.b, op.b.shape()[0], op.h.shape()[1]);
  HONE_OPERAND_DTYPE(op.b, op.h.dtype());
  HONE_OPERAND_DTYPE(op.y, op.h.dtype());
}

void check(const LoraUpBackward& op) {
  HONE_OPERAND_SHAPE(op.h, op.d_y.shape()[0], op.b.shape()[1]);
  HONE_OPERAND_SHAPE(op.d_h, op.d_y.shape()[0], op.b.shape()[1]);
  HONE_OPERAND_SHAPE(op.b, op.d_y.shape()[1], op.b.shape()[1]);
  HONE_ASSERT(op.d_b.shape() == op.b.shape(), op.d_b.shape().to_text());
}

void check(const LoraDownBackward& op) {
  HONE_OPERAND_SHAPE(op.d_h, op.x.shape()[0], op.a.shape()[0]);
  HONE_OPERAND_SHAPE(op.a, op.a.shape()[0], op.x.shape()[1]);
  HONE_ASSERT(op.d_a.shape() == op.a.shape(), op.d_a.shape().to_text());
  if (op.d_x.present()) {
    HONE_ASSERT(op.d_x.shape() == op.x.shape(), op.d_x.shape().to_text());
  }
  check_dropout(op.dropout, op.x.rows(), op.x.columns());
}

Cost cost(const LoraDown& op) {
  return {flops(op.x.rows(), op.x.columns(), op.a.rows()),
          bytes_of(op.x) + bytes_of(op.a) + bytes_of(op.h)};
}

Cost cost(const LoraUp& op) {
  return {flops(op.y.rows(), op.h.columns(), op.y.columns()),
          bytes_of(op.h) + bytes_of(op.b) + bytes_of(op.y) * (op.accumulate ? 2.0 : 1.0)};
}

Cost cost(const LoraUpBackward& op) {
  return {2.0 * flops(op.d_y.rows(), op.d_y.columns(), op.b.columns()),
          bytes_of(op.d_y) + bytes_of(op.h) + bytes_of(op.d_h) + 3.0 * bytes_of(op.b)};
}

Cost cost(const LoraDownBackward& op) {
  const double products = op.d_x.present() ? 2.0 : 1.0;
  const double d_x_passes = op.d_x.present() ? (op.accumulate ? 2.0 : 1.0) : 0.0;
  return {products * flops(op.x.rows(), op.x.columns(), op.a.rows()),
          bytes_of(op.x) * (1.0 + d_x_passes) + bytes_of(op.d_h) + 3.0 * bytes_of(op.a)};
}

}  // namespace hone::ops
