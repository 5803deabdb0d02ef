// Thousands of damaged inputs per reader, the same ones in every run: accepted or refused, but
// never a crash, a hang, or a read outside of the input.
#include <gtest/gtest.h>

#include "formats/whole_file.h"
#include "fuzz/mutations.h"
#include "fuzz/reader_trials.h"
#include "unit/formats/gguf_bytes.h"
#include "unit/formats/safetensors_bytes.h"

namespace hone::formats {
namespace {

using fuzz::expect_both;
using fuzz::run;

const std::vector<std::string> kNumbers = {std::string(8, '\xFF'),
                                           std::string(4, '\xFF'),
                                           std::string(8, '\0'),
                                           u64(1ull << 63),
                                           u64(1ull << 31),
                                           u32(7),
                                           u64(1),
                                           u64(1ull << 40)};

TEST(Mutations, OfSafetensors) {
  const std::vector<std::string> seeds = {
      read_whole_file(HONE_TEST_DATA "/reference.safetensors", 1 << 20),
      safetensors_bytes(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4)};
  std::vector<std::string> pieces = {"[0,4]",
                                     "{",
                                     "}",
                                     "[",
                                     "-1",
                                     "1e9",
                                     "\"F4\"",
                                     "null",
                                     ",",
                                     "\"\\u0000\"",
                                     "99999999999999999999",
                                     "\"shape\":"};
  pieces.insert(pieces.end(), kNumbers.begin(), kNumbers.end());
  expect_both(run(try_safetensors, seeds, pieces, 4000));
}

TEST(Mutations, OfGguf) {
  GgufBytes gguf;
  gguf.entries = {gguf_entry("general.alignment", GgufKind::u32, u32(32)),
                  gguf_entry("general.name", GgufKind::string, gguf_string("tiny")),
                  gguf_entry("tokenizer.ggml.tokens", GgufKind::array,
                             gguf_list(GgufKind::string, 3,
                                       gguf_string("a") + gguf_string("") + gguf_string("b"))),
                  gguf_entry("nested", GgufKind::array,
                             gguf_list(GgufKind::array, 1, gguf_list(GgufKind::i16, 2, "abcd")))};
  gguf.tensors = {gguf_tensor("q", {32, 2}, 2, 0), gguf_tensor("k", {256}, 12, 64),
                  gguf_tensor("f", {3, 1, 2}, 0, 224)};
  gguf.data = std::string(224 + 24, 'q');
  ASSERT_TRUE(try_gguf(gguf.text()));
  expect_both(run(try_gguf, {gguf.text()}, kNumbers, 4000));
}

TEST(Mutations, OfJson) {
  const std::vector<std::string> seeds = {
      R"({"a": [1, -2.5e3, true, null, "x\u00e9\ud83d\ude00\n"], "b": {"c": [], "d": {}}, "e": 1e-7})",
      R"([{"k": 18446744073709551615}, "\\", 0.1, [[[]]]])"};
  const std::vector<std::string> pieces = {"\"",       "\\",
                                           "\\ud83d",  "\\u0041",
                                           "[",        "]",
                                           "{",        "}",
                                           ",",        ":",
                                           "1e400",    "-0",
                                           "\n",       std::string(1, '\0'),
                                           "\xC3",     "\xE2\x82\xAC",
                                           "\"a\":1,", "123456789012345678901234567890"};
  expect_both(run(try_json, seeds, pieces, 8000));
}

TEST(Mutations, OfRecords) {
  const std::vector<std::string> seeds = {
      "[{\"a\": \"x\", \"b\": [1, 2]},\n {\"a\": \"y\\\"]\", \"b\": null}]\n",
      "{\"a\": \"x\"}\n{\"a\": {\"b\": \"\\\\\"}}\n\n{\"c\": [1]}\n"};
  const std::vector<std::string> pieces = {
      "\"", "\\",      "\n",           "[",        "]", "{",          "}",
      ",",  "\\ud83d", "\xEF\xBB\xBF", "\xFF\xFE", " ", "{\"z\":1}\n"};
  expect_both(run(try_records, seeds, pieces, 8000));
}

TEST(Mutations, OfCsv) {
  const std::vector<std::string> seeds = {"a,b\n1,\"x, \"\"y\"\"\"\n\n,z\n",
                                          "\xEF\xBB\xBFq,answer\r\n\"two\r\nlines\",5\r\nx,\r\n"};
  const std::vector<std::string> pieces = {"\"",   ",",    "\n",           "\r", "\r\n",
                                           "\"\"", "\xFF", "\xEF\xBB\xBF", "a",  "\n\n"};
  expect_both(run(try_csv, seeds, pieces, 3000));
}

TEST(Mutations, OfYaml) {
  const std::vector<std::string> seeds = {
      "### model\nmodel: a/b\nlr: 1.0e-5\nlist: [x, 'y', \"z\"]\nblock: |\n  one\n  two\nmap:\n"
      "  k: &a {p: 1}\n  l: *a\n  <<: *a\n- ",
      "a: 1\nb:\n  - c: d\n    e: f\n  - g\n"};
  const std::vector<std::string> pieces = {": ", "\n", "  ",     "- ",  "'",     "\"",   "[",
                                           "]",  "{",  "}",      "&a ", "*a",    "<<: ", "#",
                                           "|",  ">",  "!!str ", "\t",  "---\n", "? "};
  expect_both(run(try_yaml, seeds, pieces, 4000));
}

}  // namespace
}  // namespace hone::formats
