// The op table of the emulated cards: the GPU's kernels and, for products, the CPU's.
#pragma once

#include "device/emulated/emulated_cards.h"
#include "device/emulated/emulated_device.h"
#include "kernels/cpu/cpu_table.h"
#include "kernels/gpu/gpu_table.h"

namespace hone::tests {

inline ops::OpTable emulated_table() {
  ops::OpTable table = kernels::gpu_table();
  table.product = kernels::cpu_table().product;
  return table;
}

}  // namespace hone::tests
