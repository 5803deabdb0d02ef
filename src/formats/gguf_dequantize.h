// From the blocks of a GGUF tensor to f32, with the bits of ggml's own dequantization.
//
// Blocks (sizes in bytes; d, m, dmin are f16; elements in the order of the row; all arithmetic f32,
// one rounding per operation, from left to right):
//   Q4_0, 32 elements: d 2 | q 16. Byte j holds element j (low half) and j + 16 (high half);
//         (q - 8) * d
//   Q4_1, 32: d 2 | m 2 | q 16, halves as above; q * d + m
//   Q8_0, 32: d 2 | q 32 signed; q * d
//   Q4_K, 256: d 2 | dmin 2 | scales 12 | q 128. Eight groups of 32 with a 6-bit scale s and
//   minimum
//         t each; byte j of run r (32 bytes) holds element 64 r + j (low) and 64 r + 32 + j (high);
//         d * s * q - dmin * t, where d * s and dmin * t are rounded first
//   Q6_K, 256: low 128 | high 64 | scales 16 signed | d 2. q = low 4 bits and 2 high bits, minus
//   32;
//         d * s * q, where d * s is rounded first
// F16 and BF16 widen exactly. Source: ggml-common.h and ggml-quants.c of ggml.
#pragma once

#include <cstddef>
#include <span>

#include "formats/gguf.h"

namespace hone::formats {

// Whether dequantize() takes this type.
bool can_dequantize(const GgmlTypeInfo& type);

// Writes all elements of the blocks. `blocks` must be a whole number of blocks and `elements`
// exactly as many floats as they hold; a type that can_dequantize() denies is a defect of the
// caller.
void dequantize(const GgmlTypeInfo& type, std::span<const std::byte> blocks,
                std::span<float> elements);

// All of a tensor. Errors (UserError): a type that hone does not read, named.
void dequantize(const GgufFile& file, const GgufTensor& tensor, std::span<float> elements);

}  // namespace hone::formats
