// Attention forward on the matrix units.
#pragma once

#include "kernels/gpu/attention_tile.h"

namespace hone::kernels::gpu {

// bf16 operands, heads of a width that models have, on a card that has the unit.
bool has_matrix_attention(const Card& card, const ops::AttentionForward& op);
void run_matrix_attention(Launcher& launcher, const ops::AttentionForward& op,
                          const DeviceLayout& layout);

}  // namespace hone::kernels::gpu
