#include "formats/safetensors.h"

#include <sys/resource.h>

#include <chrono>
#include <cstring>

#include "unit/formats/expect_fault.h"
#include "unit/formats/safetensors_bytes.h"
#include "unit/formats/temporary_folder.h"

namespace hone::formats {
namespace {

using namespace std::string_literals;

// Tensors of 4 elements of F32 that fill 32 bytes.
const std::string kTwo = R"({"a":{"dtype":"F32","shape":[2,2],"data_offsets":[16,32]},)"
                         R"("b":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})";

struct Usage {
  std::chrono::steady_clock::time_point time = std::chrono::steady_clock::now();
  long peak_kilobytes = [] {
    struct rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  }();
};

// Refused with that text, within 100 ms and 50 MB.
void expect_refused(const std::string& content, const std::string& found,
                    const std::string& asked = "") {
  SCOPED_TRACE(content.substr(0, 200));
  const TemporaryFolder folder;
  const auto path = folder.write("m.safetensors", content);
  const Usage before;
  expect_fault([&] { SafetensorsFile{path}; }, path.native() + asked, found);
  const Usage after;
  EXPECT_LT(after.time - before.time, std::chrono::milliseconds(100));
  EXPECT_LT(after.peak_kilobytes - before.peak_kilobytes, 50'000);
}

TEST(Safetensors, ReadsWhatTheReferenceWrites) {
  const SafetensorsFile file(HONE_TEST_DATA "/reference.safetensors");
  ASSERT_EQ(file.tensors().size(), 10u);
  EXPECT_EQ(file.metadata().at(0).first, "format");
  EXPECT_EQ(file.metadata().at(0).second, "pt");
  EXPECT_EQ(file.tensors()[0].name, "wide");
  EXPECT_EQ(file.view("wide").data<std::int64_t>()[1], 1);
  const ConstTensorView matrix = file.view("b.weight");
  EXPECT_EQ(matrix.shape(), (Shape{2, 3}));
  EXPECT_EQ(matrix.row<float>(1)[2], 5.0f);
  EXPECT_EQ(to_float(file.view("half").data<Float16>()[4]), 4.0f);
  EXPECT_EQ(file.view("scalar").shape().rank(), 0);
  EXPECT_EQ(file.view("scalar").data<float>()[0], 7.0f);
  EXPECT_EQ(file.view("empty").elements(), 0);
  EXPECT_EQ(file.view("flag").dtype(), DType::boolean);
  EXPECT_EQ(file.view("name \xC3\xA9 \"x\"").elements(), 2);
  EXPECT_EQ(file.find("nothing"), nullptr);
}

TEST(Safetensors, ListsTensorsInTheOrderOfTheirBytes) {
  const TemporaryFolder folder;
  const SafetensorsFile file(folder.write("m", safetensors_bytes(kTwo, 32)));
  EXPECT_EQ(file.tensors()[0].name, "b");
  EXPECT_EQ(file.tensors()[1].name, "a");
  EXPECT_EQ(file.tensors()[1].shape_text(), "[2, 2]");
  EXPECT_EQ(static_cast<int>(file.bytes(*file.find("a"))[0]), 16);
}

TEST(Safetensors, ReadsPaddedAndEmptyHeaders) {
  const TemporaryFolder folder;
  EXPECT_EQ(
      SafetensorsFile(folder.write("q", safetensors_bytes(kTwo + "      ", 32))).tensors().size(),
      2u);
  EXPECT_TRUE(SafetensorsFile(folder.write("r", safetensors_bytes("{}", 0))).tensors().empty());
  EXPECT_TRUE(SafetensorsFile(folder.write("s", safetensors_bytes("{\"__metadata__\":{}}", 0)))
                  .metadata()
                  .empty());
}

// Headers of every length modulo 8, so that the data lies at every offset.
TEST(Safetensors, GivesAlignedViewsOfUnalignedData) {
  for (std::size_t blanks = 0; blanks < 8; ++blanks) {
    const TemporaryFolder folder;
    const SafetensorsFile file(
        folder.write("m", safetensors_bytes(kTwo + std::string(blanks, ' '), 32)));
    const ConstTensorView view = file.view("a");
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.raw()) % 4, 0u);
    EXPECT_EQ(std::memcmp(view.raw(), file.bytes(*file.find("a")).data(), 16), 0);
    EXPECT_EQ(file.view("a").raw(), view.raw());
  }
}

TEST(Safetensors, KnowsEveryDTypeOfTheFormat) {
  const std::pair<const char*, int> types[] = {
      {"BOOL", 8}, {"U8", 8},   {"I8", 8},   {"F8_E5M2", 8}, {"F8_E4M3", 8},
      {"I16", 16}, {"U16", 16}, {"F16", 16}, {"BF16", 16},   {"I32", 32},
      {"U32", 32}, {"F32", 32}, {"F64", 64}, {"I64", 64},    {"U64", 64}};
  const std::pair<const char*, int> refused[] = {
      {"F4", 4},          {"F6_E2M3", 6},     {"F6_E3M2", 6}, {"F8_E8M0", 8},
      {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"C64", 64}};
  const TemporaryFolder folder;
  const auto open = [&](const char* type, int bits) {
    const std::string bytes = std::to_string(bits);
    return SafetensorsFile(folder.write(
        type, safetensors_bytes("{\"t\":{\"dtype\":\""s + type +
                                    "\",\"shape\":[2,4],\"data_offsets\":[0," + bytes + "]}}",
                                static_cast<std::size_t>(bits))));
  };
  for (const auto& [type, bits] : types) {
    EXPECT_EQ(open(type, bits).view("t").bytes(), static_cast<std::size_t>(bits)) << type;
  }
  for (const auto& [type, bits] : refused) {
    const SafetensorsFile file = open(type, bits);
    expect_fault([&] { file.view("t"); }, "tensor 't' of " + (folder.path() / type).native(),
                 "dtype "s + type + ", which hone does not read", "convert");
  }
}

TEST(Safetensors, RefusesViewsThatCannotBe) {
  const TemporaryFolder folder;
  const SafetensorsFile file(folder.write(
      "m", safetensors_bytes(
               R"({"layer.weight":{"dtype":"U8","shape":[1,1,1,1,2],"data_offsets":[0,2]}})", 2)));
  expect_fault([&] { file.view("layer.weight"); }, "tensor 'layer.weight'",
               "shape [1, 1, 1, 1, 2], more than 4 extents");
  expect_fault([&] { file.view("layer.wieght"); }, "tensor 'layer.wieght' of",
               "no such tensor (did you mean 'layer.weight'?)");
}

TEST(Safetensors, RefusesFilesThatAreCutOrReplaced) {
  const std::string whole = safetensors_bytes(kTwo, 32);
  const std::string size = std::to_string(whole.size());
  const auto cut = [&](std::size_t bytes) { return whole.substr(0, bytes); };
  expect_refused(cut(whole.size() - 1), "the file is cut short: " + size + " bytes expected, " +
                                            std::to_string(whole.size() - 1) + " found");
  expect_refused(cut(whole.size() - 20), "cut short: " + size + " bytes expected");
  expect_refused(cut(60), "cut short inside its header: at least " +
                              std::to_string(whole.size() - 32) + " bytes expected, 60 found");
  expect_refused("", "0 bytes; the length of the header alone takes 8");
  expect_refused(whole + "x", "there is more after the last tensor: " + size + " bytes expected, " +
                                  std::to_string(whole.size() + 1) + " found");
  const std::string pointer =
      "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'a') +
      "\nsize 26906055\n";
  expect_refused(pointer,
                 "a git-lfs pointer, which only names the file that was meant (133 bytes), "
                 "not a safetensors file");
  for (const char* page : {"<!DOCTYPE html><html></html>", "\n <html lang=en>", "<?xml version"}) {
    expect_refused(page, "an HTML page");
  }
  expect_refused("PK\x03\x04" + std::string(20, 'x'), "a zip archive, as PyTorch's");
  expect_refused("GGUF\x03" + std::string(20, 'x'), "a GGUF file");
}

std::string one(const std::string& fields) {
  return "{\"a\":{" + fields + "}}";
}

TEST(Safetensors, RefusesBrokenHeaders) {
  expect_refused(std::string(7, '\0'), "7 bytes; the length of the header");
  expect_refused(little_endian(UINT64_MAX, 8) + kTwo,
                 "a header of 18446744073709551615 bytes (at most 100000000");
  expect_refused(little_endian(100'000'001, 8) + kTwo, "a header of 100000001 bytes");
  expect_refused(little_endian(100'000'000, 8) + kTwo, "cut short inside its header");
  expect_refused(little_endian(8 + kTwo.size(), 8) + kTwo, "cut short inside its header");
  expect_refused(safetensors_bytes("", 0), "a header that starts with '', not with '{'");
  expect_refused(safetensors_bytes("[]", 0), "a header that starts with '[', not with '{'");
  expect_refused(safetensors_bytes(" {}", 0), "a header that starts with ' '");
  expect_refused(safetensors_bytes("{", 0), "unexpected end of input",
                 " (header), line 1, column 10");
  expect_refused(safetensors_bytes("{}x", 0), "expected end of input");
  expect_refused(safetensors_bytes("\xFF\xFE", 0), "a header that starts with '\\xff'");
  expect_refused(safetensors_bytes("{\"\xFF\xFE\":1}", 0), "byte 0xFF at offset 10 is not UTF-8");
  expect_refused(safetensors_bytes("{\"a\":1}", 0),
                 "a number in place of its description (byte 15)", ", tensor 'a'");
  expect_refused(safetensors_bytes("{\"a\":" + std::string(1000, '['), 0),
                 "a list in place of its description");
}

TEST(Safetensors, RefusesTensorsThatDoNotTile) {
  const auto two = [](const std::string& second) {
    return R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":)" +
           second + "}}";
  };
  expect_refused(safetensors_bytes(two("[2,6]"), 6),
                 "its bytes [2, 6] overlap those of tensor 'a', which end at 4", ", tensor 'b'");
  expect_refused(safetensors_bytes(two("[8,12]"), 12),
                 "4 bytes that belong to no tensor before it, at byte 4 of the data",
                 ", tensor 'b'");
  expect_refused(safetensors_bytes(one(R"("dtype":"F32","shape":[1],"data_offsets":[0,4])"), 5),
                 "there is more after the last tensor");
  expect_refused(safetensors_bytes(one(R"("dtype":"F32","shape":[1],"data_offsets":[4,8])"), 8),
                 "4 bytes that belong to no tensor before it, at byte 0");
  expect_refused(safetensors_bytes("{}", 1),
                 "there is more after the last tensor: 10 bytes expected, 11 found");
}

TEST(Safetensors, RefusesBrokenDescriptions) {
  const auto refuse = [](const std::string& fields, const std::string& found) {
    expect_refused(safetensors_bytes(one(fields), 4), found, ", tensor 'a'");
  };
  const std::string start = R"("dtype":"F32","shape":[1],"data_offsets":)";
  refuse(start + "[4,0]", "data_offsets that end before they start: [4, 0]");
  refuse(start + "[0]", "data_offsets of 1 numbers, not 2");
  refuse(start + "[0,4,8]", "data_offsets of 3 numbers, not 2");
  refuse(start + "[-1,3]", "the negative number -1 in its data_offsets");
  refuse(start + "[0.0,4.0]", "a number that is not a whole one of 64 bits in its data_offsets");
  refuse(start + "[\"0\",\"4\"]", "a string in its data_offsets");
  refuse(start + "[0,18446744073709551616]", "a number that is not a whole one");
  refuse(start + "[[0,4]]", "a list in its data_offsets");
  refuse(start + "4", "a number as its data_offsets");
  refuse(start + "null", "null as its data_offsets");
  refuse(R"("dtype":"F32","shape":[2],"data_offsets":[0,4])",
         "hold 4 bytes, but F32 of shape [2] has 8");
  refuse(R"("dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,4])",
         "a shape too large to count: [4611686018427387904, 4]");
  refuse(R"("dtype":"F4","shape":[3],"data_offsets":[0,1])", "no whole number of bytes");
  refuse(R"("dtype":"F31","shape":[1],"data_offsets":[0,4])", "the unknown dtype \"F31\"");
  refuse(R"("dtype":5,"shape":[1],"data_offsets":[0,4])", "a number as its dtype");
  refuse(R"("dtype":"F32","shape":{},"data_offsets":[0,4])", "an object as its shape");
  refuse(R"("dtype":"F32","shape":[true],"data_offsets":[0,4])", "a boolean in its shape");
  refuse(R"("shape":[1],"data_offsets":[0,4])", "no dtype");
  refuse(R"("dtype":"F32","data_offsets":[0,4])", "no shape");
  refuse(R"("dtype":"F32","shape":[1])", "no data_offsets");
  refuse(R"("dtype":"F32","dtype":"F32")", "the key \"dtype\" a second time");
  refuse(R"("size":4)", "the unknown key \"size\"");
  expect_refused(
      safetensors_bytes(
          R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
          8),
      "the same name a second time", ", tensor 'a'");
  expect_refused(safetensors_bytes(R"({"__metadata__":{"format":5}})", 0),
                 "a number as \"format\" of __metadata__, which holds strings only");
  expect_refused(safetensors_bytes(R"({"__metadata__":[]})", 0),
                 "a list in place of its description");
  expect_refused(safetensors_bytes("{\"\\u001b[31m\":1}", 0), "a number in place",
                 ", tensor '\\x1b[31m'");
}

}  // namespace
}  // namespace hone::formats
