#include "formats/gguf_dequantize.h"

#include <cstring>
#include <set>

#include "formats/whole_file.h"
#include "unit/formats/expect_fault.h"
#include "unit/formats/gguf_bytes.h"
#include "unit/formats/temporary_folder.h"

namespace hone::formats {
namespace {

std::uint32_t take_u32(std::string_view& text) {
  std::uint32_t value;
  std::memcpy(&value, text.data(), sizeof value);
  text.remove_prefix(sizeof value);
  return value;
}

// Recorded by record/record_gguf_blocks.py, which describes the layout.
TEST(Dequantize, GivesTheBitsOfGgml) {
  const std::string recorded = read_whole_file(HONE_TEST_DATA "/gguf_blocks.bin", 1 << 20);
  std::string_view rest = recorded;
  std::set<std::string_view> types;
  while (!rest.empty()) {
    const GgmlTypeInfo* type = find_ggml_type(take_u32(rest));
    ASSERT_NE(type, nullptr);
    const std::uint32_t block_bytes = take_u32(rest);
    const std::uint32_t elements = take_u32(rest);
    const auto blocks = std::as_bytes(std::span(rest.data(), block_bytes));
    rest.remove_prefix(block_bytes);
    std::vector<float> values(elements);
    dequantize(*type, blocks, values);
    for (std::uint32_t at = 0; at < elements; ++at) {
      const std::uint32_t expected = take_u32(rest);
      std::uint32_t bits;
      std::memcpy(&bits, &values[at], sizeof bits);
      ASSERT_EQ(bits, expected) << type->name << ", element " << at;
    }
    types.insert(type->name);
  }
  EXPECT_EQ(types, (std::set<std::string_view>{"F32", "F16", "BF16", "Q4_0", "Q4_1", "Q8_0", "Q4_K",
                                               "Q6_K"}));
}

// One block by hand: d = 0.5, m = -1, the first byte holds 3 (low) and 10 (high).
TEST(Dequantize, ReadsAQ41BlockAsDescribed) {
  std::string block = std::string("\x00\x38\x00\xBC", 4) + '\xA3' + std::string(15, '\0');
  float values[32];
  dequantize(*find_ggml_type(3), std::as_bytes(std::span(block)), values);
  EXPECT_EQ(values[0], 0.5f);
  EXPECT_EQ(values[16], 4.0f);
  EXPECT_EQ(values[1], -1.0f);
}

TEST(Dequantize, RefusesTypesThatHoneDoesNotRead) {
  const TemporaryFolder folder;
  GgufBytes bytes;
  bytes.tensors = {gguf_tensor("blk.0.w", {256}, 10, 0)};
  bytes.data = std::string(84, 'x');
  const auto path = folder.write("m.gguf", bytes.text());
  const GgufFile file(path);
  std::vector<float> values(256);
  expect_fault([&] { dequantize(file, file.tensors()[0], values); },
               "tensor 'blk.0.w' of " + path.native(),
               "element type Q2_K, which hone does not read", "Q8_0");
  EXPECT_FALSE(can_dequantize(*find_ggml_type(10)));
  EXPECT_THROW(dequantize(*find_ggml_type(10), file.bytes(file.tensors()[0]), values),
               InternalError);
}

TEST(Dequantize, HoldsItsCallerToWholeBlocks) {
  const std::string block(34, 'x');
  std::vector<float> values(32);
  const auto bytes = std::as_bytes(std::span(block));
  EXPECT_THROW(dequantize(*find_ggml_type(8), bytes.first(33), values), InternalError);
  EXPECT_THROW(dequantize(*find_ggml_type(8), bytes, std::span(values).first(31)), InternalError);
}

}  // namespace
}  // namespace hone::formats
