// The matrix product by the vendor's library, in the op table's form.
#pragma once

#include "ops/product.h"

namespace hone::kernels::rocm {

void run_product(ops::OpContext& context, const ops::Product& op);
std::size_t product_scratch_bytes(const ops::OpContext& context, const ops::Product& op);

}  // namespace hone::kernels::rocm
