#include "kernels/rocm/settled_table.h"

#include "kernels/gpu/gpu_table.h"
#include "kernels/rocm/gpu_of.h"
#include "kernels/rocm/product.h"
#include "ops/op_list.h"

namespace hone::kernels::rocm {
namespace {

template <class Op>
void run_settled(ops::OpContext& context, const Op& op) {
  (gpu_table().*Op::kSlot).run(context, op);
  gpu_of(context).settle(Op::kName);
}

ops::OpTable make_table() {
  ops::OpTable table = gpu_table();
  ops::AllOps::for_each([&]<class Op>() {
    if ((table.*Op::kSlot).run != nullptr) (table.*Op::kSlot).run = &run_settled<Op>;
  });
  table.product = {&run_product, &product_scratch_bytes};
  return table;
}

}  // namespace

const ops::OpTable& settled_table() {
  static const ops::OpTable table = make_table();
  return table;
}

}  // namespace hone::kernels::rocm
