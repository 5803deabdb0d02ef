#include "kernels/reference/reference_table.h"

#include "kernels/reference/adamw.h"
#include "kernels/reference/attention.h"
#include "kernels/reference/bias.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/embedding.h"
#include "kernels/reference/head.h"
#include "kernels/reference/lora.h"
#include "kernels/reference/product.h"
#include "kernels/reference/rms_norm.h"
#include "kernels/reference/rope.h"
#include "kernels/reference/rows.h"
#include "kernels/reference/squared_norm.h"
#include "kernels/reference/swiglu.h"
#include "ops/op_list.h"

namespace hone::kernels {
namespace {

template <class Op>
void run(ops::OpContext&, const Op& op) {
  if (reference::number_dtype(op) == DType::c128) {
    reference::reference<reference::Complex>(op);
  } else {
    reference::reference<double>(op);
  }
}

ops::OpTable make_table() {
  ops::OpTable table;
  ops::AllOps::for_each([&]<class Op>() { (table.*Op::kSlot).run = &run<Op>; });
  return table;
}

}  // namespace

const ops::OpTable& reference_table() {
  static const ops::OpTable table = make_table();
  return table;
}

}  // namespace hone::kernels
