#include "formats/gguf.h"

#include <cstring>

#include "unit/formats/expect_fault.h"
#include "unit/formats/gguf_bytes.h"
#include "unit/formats/temporary_folder.h"

namespace hone::formats {
namespace {

using namespace std::string_literals;
using Kind = GgufKind;

std::string float_bytes(float value) {
  std::string text(4, '\0');
  std::memcpy(text.data(), &value, 4);
  return text;
}

std::string double_bytes(double value) {
  std::string text(8, '\0');
  std::memcpy(text.data(), &value, 8);
  return text;
}

// One entry of every kind, lists among them, and two tensors.
GgufBytes example() {
  GgufBytes gguf;
  gguf.entries = {
      gguf_entry("u8", Kind::u8, "\xFF"),
      gguf_entry("i8", Kind::i8, "\xFF"),
      gguf_entry("u16", Kind::u16, "\xFF\xFF"),
      gguf_entry("i16", Kind::i16, "\xFE\xFF"),
      gguf_entry("u32", Kind::u32, u32(4'000'000'000)),
      gguf_entry("i32", Kind::i32, u32(0xFFFFFFFD)),
      gguf_entry("u64", Kind::u64, u64(UINT64_MAX)),
      gguf_entry("i64", Kind::i64, u64(UINT64_MAX)),
      gguf_entry("f32", Kind::f32, float_bytes(0.1f)),
      gguf_entry("f64", Kind::f64, double_bytes(0.1)),
      gguf_entry("true", Kind::boolean, "\x01"),
      gguf_entry("name", Kind::string, gguf_string("n\xC3\xA9")),
      gguf_entry("tokens", Kind::array,
                 gguf_list(Kind::string, 2, gguf_string("a") + gguf_string(""))),
      gguf_entry("types", Kind::array, gguf_list(Kind::i32, 2, u32(1) + u32(0xFFFFFFFF))),
      gguf_entry("scores", Kind::array, gguf_list(Kind::f32, 1, float_bytes(-0.5f))),
      gguf_entry("nested", Kind::array,
                 gguf_list(Kind::array, 1, gguf_list(Kind::u8, 2, "\x05\x06"))),
      gguf_entry("empty", Kind::array, gguf_list(Kind::u8, 0, "")),
  };
  gguf.tensors = {gguf_tensor("w", {32, 2}, 2, 0), gguf_tensor("v", {3}, 0, 64)};
  gguf.data = std::string(36, 'q') + std::string(28, '\0') + std::string(12, 'f');
  return gguf;
}

GgufFile open(const std::string& text) {
  const TemporaryFolder folder;
  return GgufFile(folder.write("m.gguf", text));  // the mapping outlives the name
}

void expect_refused(const std::string& text, const std::string& asked, const std::string& found) {
  SCOPED_TRACE(asked + ": " + found);
  expect_fault([&] { open(text); }, asked, found);
}

TEST(Gguf, ReadsMetadataOfEveryKind) {
  for (const std::uint32_t version : {2u, 3u}) {
    GgufBytes bytes = example();
    bytes.version = version;
    const GgufFile file = open(bytes.text());
    EXPECT_EQ(file.version(), version);
    EXPECT_EQ(file.integer("u8"), 255);
    EXPECT_EQ(file.integer("i8"), -1);
    EXPECT_EQ(file.integer("u16"), 65535);
    EXPECT_EQ(file.integer("i16"), -2);
    EXPECT_EQ(file.integer("u32"), 4'000'000'000);
    EXPECT_EQ(file.integer("i32"), -3);
    EXPECT_EQ(file.integer("i64"), -1);
    EXPECT_EQ(file.number("u64"), 18446744073709551615.0);
    EXPECT_EQ(file.number("f32"), static_cast<double>(0.1f));
    EXPECT_EQ(file.number("f64"), 0.1);
    EXPECT_EQ(file.number("i8"), -1.0);
    EXPECT_TRUE(file.boolean("true"));
    EXPECT_EQ(file.string("name"), "n\xC3\xA9");
    EXPECT_EQ(file.strings("tokens"), (std::vector<std::string_view>{"a", ""}));
    EXPECT_EQ(file.integers("types"), (std::vector<std::int64_t>{1, -1}));
    EXPECT_EQ(file.numbers("scores"), (std::vector<double>{-0.5}));
    EXPECT_EQ(file.numbers("types"), (std::vector<double>{1, -1}));
    const GgufArray& nested = std::get<GgufArray>(file.find("nested")->data);
    EXPECT_EQ(std::get<std::uint64_t>(item_of(nested.arrays.at(0), 1).data), 6u);
    EXPECT_TRUE(file.strings("empty").empty());
    EXPECT_EQ(file.optional_integer("u8"), 255);
    EXPECT_EQ(file.optional_number("none"), std::nullopt);
    EXPECT_EQ(file.optional_boolean("true"), true);
    EXPECT_EQ(file.optional_string("none"), std::nullopt);
  }
}

TEST(Gguf, PlacesTensors) {
  const GgufFile file = open(example().text());
  ASSERT_EQ(file.tensors().size(), 2u);
  const GgufTensor& matrix = file.tensors()[0];
  EXPECT_EQ(matrix.name, "w");
  EXPECT_EQ(matrix.type->name, "Q4_0");
  EXPECT_EQ(matrix.shape, (Shape{2, 32}));
  EXPECT_EQ(file.bytes(matrix).size(), 36u);
  EXPECT_EQ(static_cast<char>(file.bytes(matrix)[35]), 'q');
  EXPECT_EQ(static_cast<char>(file.bytes(*file.find_tensor("v"))[0]), 'f');
  EXPECT_EQ(file.find_tensor("x"), nullptr);
}

TEST(Gguf, ObeysTheAlignmentOfTheFile) {
  GgufBytes bytes = example();
  bytes.entries.push_back(gguf_entry("general.alignment", Kind::u32, u32(64)));
  bytes.alignment = 64;
  EXPECT_EQ(static_cast<char>(open(bytes.text()).bytes(*open(bytes.text()).find_tensor("v"))[0]),
            'f');
  for (const std::uint64_t wrong : {0, 4, 48, 1 << 21}) {
    bytes.entries.back() = gguf_entry("general.alignment", Kind::u32, u32(wrong));
    expect_refused(bytes.text(), "metadata 'general.alignment'",
                   "an alignment of " + std::to_string(wrong) + " bytes, not a power of two");
  }
}

TEST(Gguf, SaysWhatMetadataIsMissingOrWrong) {
  const GgufFile file = open(example().text());
  expect_fault([&] { file.integer("none"); }, "metadata 'none' of ", "no such key",
               "a whole number");
  expect_fault([&] { file.integer("u64"); }, "metadata 'u64'", "u64", "a whole number of 63 bits");
  expect_fault([&] { file.integer("f32"); }, "metadata 'f32'", "f32", "a whole number");
  expect_fault([&] { file.number("name"); }, "metadata 'name'", "a string", "a number");
  expect_fault([&] { file.boolean("u8"); }, "metadata 'u8'", "u8", "a boolean");
  expect_fault([&] { file.string("tokens"); }, "metadata 'tokens'", "a list of a string",
               "a string");
  expect_fault([&] { file.strings("types"); }, "metadata 'types'", "a list of i32",
               "a list of strings");
  expect_fault([&] { file.integers("tokens"); }, "metadata 'tokens'", "a list of a string");
  expect_fault([&] { file.numbers("name"); }, "metadata 'name'", "a string", "a list of numbers");
}

TEST(Gguf, RefusesOtherFormatsAndVersions) {
  expect_refused("", "GGUF: ", "'' (0 bytes) where 'GGUF' should be: not a GGUF file");
  expect_refused("GGU", "GGUF: ", "'GGU' (3 bytes)");
  expect_refused("ggml" + std::string(40, '\0'), "GGUF: ", "not a GGUF file");
  expect_refused("version https://git-lfs.github.com/spec/v1\n", "GGUF: ", "a git-lfs pointer");
  expect_refused("<!doctype html>", "GGUF: ", "an HTML page");
  GgufBytes bytes = example();
  bytes.version = 1;
  expect_refused(bytes.text(), "GGUF: ", "version 1; hone reads versions 2 and 3 (byte 8)");
  bytes.version = 4;
  expect_refused(bytes.text(), "GGUF: ", "version 4");
  bytes.version = 0x03000000;
  expect_refused(bytes.text(), "GGUF: ", "a big-endian file");
}

TEST(Gguf, RefusesEveryCut) {
  const std::string whole = example().text();
  const TemporaryFolder folder;
  const auto path = folder.write("m.gguf", whole);
  ASSERT_NO_THROW(GgufFile{path});
  for (std::size_t bytes = whole.size(); bytes-- > 0;) {
    std::filesystem::resize_file(path, bytes);
    EXPECT_THROW(GgufFile{path}, UserError) << bytes;
  }
  expect_refused(whole.substr(0, whole.size() - 1), "tensor 'v'",
                 "at least " + std::to_string(whole.size()) + " bytes expected, " +
                     std::to_string(whole.size() - 1) + " found");
}

TEST(Gguf, RefusesHostileCountsAndLengths) {
  expect_refused(
      "GGUF" + u32(3) + u64(UINT64_MAX) + u64(0), "GGUF: ",
      "the number of tensors: 18446744073709551615, more than the 8 bytes left can hold (byte 8)");
  expect_refused("GGUF" + u32(3) + u64(0) + u64(UINT64_MAX),
                 "GGUF: ", "the number of metadata entries");
  const auto with_entry = [](const std::string& entry) {
    GgufBytes bytes;
    bytes.entries = {entry};
    return bytes.text();
  };
  expect_refused(with_entry(u64(UINT64_MAX) + "k"), "metadata entry 0",
                 "the key takes 18446744073709551615 bytes");
  expect_refused(with_entry(gguf_entry("k", Kind::string, u64(1ull << 62))), "metadata 'k'",
                 "cut short: a string takes");
  expect_refused(with_entry(gguf_string("k") + u32(13)), "metadata 'k'",
                 "the unknown value type 13 (byte 33)");
  expect_refused(with_entry(gguf_entry("k", Kind::boolean, "\x02")), "metadata 'k'",
                 "a boolean of 2");
  for (const Kind kind : {Kind::u8, Kind::f64, Kind::string, Kind::array}) {
    expect_refused(with_entry(gguf_entry("k", Kind::array, gguf_list(kind, 1ull << 61, ""))),
                   "metadata 'k'", "the length of a list: 2305843009213693952");
  }
  std::string deep = gguf_list(Kind::u8, 0, "");
  for (int level = 0; level < 6; ++level) deep = gguf_list(Kind::array, 1, deep);
  expect_refused(with_entry(gguf_entry("k", Kind::array, deep)), "metadata 'k'",
                 "lists nested deeper than 4");
  GgufBytes twice;
  twice.entries = {gguf_entry("k", Kind::u8, "a"), gguf_entry("k", Kind::u8, "b")};
  expect_refused(twice.text(), "metadata 'k'", "the same key a second time");
}

TEST(Gguf, RefusesHostileTensors) {
  const auto refuse = [](const std::vector<std::string>& tensors, const std::string& found) {
    GgufBytes bytes;
    bytes.tensors = tensors;
    bytes.data = std::string(64, 'x');
    expect_refused(bytes.text(), "tensor 't'", found);
  };
  refuse({gguf_string("t") + u32(5)}, "rank 5, more than 4");
  refuse({gguf_string("t") + u32(0xFFFFFFFF)}, "rank 4294967295");
  refuse({gguf_tensor("t", {1ull << 62, 4}, 0, 0)}, "a shape too large to count");
  refuse({gguf_tensor("t", {UINT64_MAX}, 0, 0)}, "a shape too large to count");
  refuse({gguf_tensor("t", {1ull << 62}, 0, 0)}, "a shape too large to count");
  refuse({gguf_tensor("t", {4}, 4, 0)}, "the unknown element type 4");
  refuse({gguf_tensor("t", {4}, 999, 0)}, "the unknown element type 999");
  refuse({gguf_tensor("t", {33, 2}, 2, 0)},
         "rows of 33 elements, no multiple of the 32 of a block of Q4_0");
  refuse({gguf_tensor("t", {4}, 0, 8)}, "the offset 8, no multiple of the alignment 32");
  refuse({gguf_tensor("t", {4}, 0, 64)}, "16 bytes at byte 128, outside of the file");
  refuse({gguf_tensor("t", {4}, 0, UINT64_MAX - 31)}, "outside of the file");
  refuse({gguf_tensor("t", {4}, 0, 0), gguf_tensor("t", {4}, 0, 32)},
         "the same name a second time");
  refuse({gguf_tensor("s", {16}, 0, 0), gguf_tensor("t", {4}, 0, 32)},
         "its bytes overlap those of tensor 's'");
}

TEST(Gguf, WritesHostileNamesSafely) {
  GgufBytes bytes;
  bytes.entries = {gguf_string("\x1b[2J\xFF" + std::string(500, 'k')) + u32(99)};
  const Fault fault = fault_of([&] { open(bytes.text()); });
  expect_part(fault.asked, "metadata '\\x1b[2J\\xffkkk");
  expect_part(fault.asked, "...'");
  EXPECT_EQ(fault.asked.find('\x1b'), std::string::npos);
  EXPECT_LT(fault.asked.size(), 400u);
}

}  // namespace
}  // namespace hone::formats
