// Compiled without contraction of a product and a sum into one operation (src/CMakeLists.txt),
// which would round once where ggml rounds twice.
#include "formats/gguf_dequantize.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "base/half.h"
#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

std::uint8_t byte_at(const std::byte* bytes, std::size_t index) {
  return std::to_integer<std::uint8_t>(bytes[index]);
}

std::int8_t signed_at(const std::byte* bytes, std::size_t index) {
  return static_cast<std::int8_t>(byte_at(bytes, index));
}

float half_at(const std::byte* bytes, std::size_t offset) {
  Float16 half;
  std::memcpy(&half.bits, bytes + offset, sizeof half.bits);
  return to_float(half);
}

float low(std::uint8_t byte) {
  return static_cast<float>(byte & 0xF);
}
float high(std::uint8_t byte) {
  return static_cast<float>(byte >> 4);
}

void copy_f32(const std::byte* block, float* out) {
  std::memcpy(out, block, sizeof *out);
}

void widen_f16(const std::byte* block, float* out) {
  *out = half_at(block, 0);
}

void widen_bf16(const std::byte* block, float* out) {
  BFloat16 value;
  std::memcpy(&value.bits, block, sizeof value.bits);
  *out = to_float(value);
}

void block_q4_0(const std::byte* block, float* out) {
  const float d = half_at(block, 0);
  for (std::size_t j = 0; j < 16; ++j) {
    const std::uint8_t q = byte_at(block, 2 + j);
    out[j] = (low(q) - 8.0f) * d;
    out[j + 16] = (high(q) - 8.0f) * d;
  }
}

void block_q4_1(const std::byte* block, float* out) {
  const float d = half_at(block, 0);
  const float m = half_at(block, 2);
  for (std::size_t j = 0; j < 16; ++j) {
    const std::uint8_t q = byte_at(block, 4 + j);
    out[j] = low(q) * d + m;
    out[j + 16] = high(q) * d + m;
  }
}

void block_q8_0(const std::byte* block, float* out) {
  const float d = half_at(block, 0);
  for (std::size_t j = 0; j < 32; ++j) out[j] = static_cast<float>(signed_at(block, 2 + j)) * d;
}

struct ScaleAndMinimum {
  float scale;
  float minimum;
};

// Group g of eight, 6 bits each, packed into 12 bytes: groups 0 to 3 lie in the low 6 bits of bytes
// g (scale) and g + 4 (minimum); groups 4 to 7 in the halves of byte g + 4, their upper two bits on
// top of bytes g - 4 and g.
ScaleAndMinimum unpack(const std::byte* scales, std::size_t group) {
  const auto at = [&](std::size_t index) -> unsigned { return byte_at(scales, index); };
  if (group < 4) {
    return {static_cast<float>(at(group) & 63), static_cast<float>(at(group + 4) & 63)};
  }
  return {static_cast<float>((at(group + 4) & 0xF) | (at(group - 4) >> 6) << 4),
          static_cast<float>((at(group + 4) >> 4) | (at(group) >> 6) << 4)};
}

void block_q4_k(const std::byte* block, float* out) {
  const float d = half_at(block, 0);
  const float dmin = half_at(block, 2);
  for (std::size_t run = 0; run < 4; ++run) {
    const ScaleAndMinimum first = unpack(block + 4, 2 * run);
    const ScaleAndMinimum second = unpack(block + 4, 2 * run + 1);
    const float scale_low = d * first.scale;
    const float minimum_low = dmin * first.minimum;
    const float scale_high = d * second.scale;
    const float minimum_high = dmin * second.minimum;
    const std::byte* q = block + 16 + 32 * run;
    for (std::size_t j = 0; j < 32; ++j) {
      out[64 * run + j] = scale_low * low(byte_at(q, j)) - minimum_low;
      out[64 * run + 32 + j] = scale_high * high(byte_at(q, j)) - minimum_high;
    }
  }
}

void block_q6_k(const std::byte* block, float* out) {
  const float d = half_at(block, 208);
  for (std::size_t half = 0; half < 2; ++half) {
    const std::byte* lows = block + 64 * half;
    const std::byte* highs = block + 128 + 32 * half;
    const std::byte* scales = block + 192 + 8 * half;
    for (std::size_t quarter = 0; quarter < 4; ++quarter) {
      for (std::size_t j = 0; j < 32; ++j) {
        const unsigned packed = byte_at(lows, (quarter % 2) * 32 + j);
        const unsigned low_bits = quarter < 2 ? packed & 0xF : packed >> 4;
        const unsigned high_bits = byte_at(highs, j) >> (2 * quarter) & 3;
        const int q = static_cast<int>(low_bits | high_bits << 4) - 32;
        const float scale = d * static_cast<float>(signed_at(scales, 2 * quarter + j / 16));
        out[128 * half + 32 * quarter + j] = scale * static_cast<float>(q);
      }
    }
  }
}

// One block after another; a template, so that each type's loop is compiled as a whole.
template <auto ReadBlock>
void read_all(const GgmlTypeInfo& type, std::span<const std::byte> blocks, float* out) {
  const std::size_t count = blocks.size() / type.block_bytes;
  for (std::size_t at = 0; at < count; ++at) {
    ReadBlock(blocks.data() + at * type.block_bytes, out + at * type.block_elements);
  }
}

using Reader = void (*)(const GgmlTypeInfo&, std::span<const std::byte>, float*);

Reader reader_of(const GgmlTypeInfo& type) {
  switch (static_cast<GgmlType>(type.id)) {
    case GgmlType::f32:
      return read_all<copy_f32>;
    case GgmlType::f16:
      return read_all<widen_f16>;
    case GgmlType::bf16:
      return read_all<widen_bf16>;
    case GgmlType::q4_0:
      return read_all<block_q4_0>;
    case GgmlType::q4_1:
      return read_all<block_q4_1>;
    case GgmlType::q8_0:
      return read_all<block_q8_0>;
    case GgmlType::q4_k:
      return read_all<block_q4_k>;
    case GgmlType::q6_k:
      return read_all<block_q6_k>;
  }
  return nullptr;
}

}  // namespace

bool can_dequantize(const GgmlTypeInfo& type) {
  return reader_of(type) != nullptr;
}

void dequantize(const GgmlTypeInfo& type, std::span<const std::byte> blocks,
                std::span<float> elements) {
  const Reader read = reader_of(type);
  HONE_ASSERT(read != nullptr, type.name);
  const std::size_t count = blocks.size() / type.block_bytes;
  HONE_ASSERT(blocks.size() == count * type.block_bytes, blocks.size(), type.name);
  HONE_ASSERT(elements.size() == count * type.block_elements, elements.size(), count, type.name);
  read(type, blocks, elements.data());
}

void dequantize(const GgufFile& file, const GgufTensor& tensor, std::span<float> elements) {
  if (!can_dequantize(*tensor.type)) {
    throw UserError(
        {fmt::format("tensor '{}' of {}", printable(tensor.name), shown_path(file.file().path())),
         fmt::format("element type {}, which hone does not read", tensor.type->name),
         "use a GGUF file in F32, F16, BF16, Q8_0, Q6_K, Q4_K, Q4_1 or Q4_0"});
  }
  dequantize(*tensor.type, file.bytes(tensor), elements);
}

}  // namespace hone::formats
