#include "formats/json.h"

#include <cmath>

#include "formats/json_decoder.h"
#include "unit/formats/expect_fault.h"
#include "unit/formats/temporary_folder.h"

namespace hone::formats {
namespace {

using namespace std::string_literals;

Value parse(std::string_view text) {
  return parse_json(text, "f.json");
}

TEST(Json, ReadsEveryKindOfValueInOrder) {
  const Value value =
      parse(R"({"z": null, "a": [true, false, -7, 1.0, 1e3], "m": {"s": "é😀\n"}})");
  ASSERT_EQ(value.object().size(), 3u);
  EXPECT_EQ(value.object()[0].key, "z");
  EXPECT_TRUE(value.find("z")->is_null());
  const Array& items = value.find("a")->array();
  EXPECT_TRUE(items[0].boolean());
  EXPECT_EQ(items[2].integer(), -7);
  EXPECT_EQ(items[3].kind(), Value::Kind::number);
  EXPECT_EQ(items[4].number(), 1000.0);
  EXPECT_EQ(value.find("m")->find("s")->string(), "\xC3\xA9\xF0\x9F\x98\x80\n");
  EXPECT_EQ(value.find("none"), nullptr);
  EXPECT_EQ(items[0].find("none"), nullptr);
}

TEST(Json, ReadsNumbersAtTheEdges) {
  EXPECT_EQ(parse("9223372036854775807").integer(), INT64_MAX);
  EXPECT_EQ(parse("-9223372036854775808").integer(), INT64_MIN);
  EXPECT_EQ(parse("9223372036854775808").number(), 9223372036854775808.0);
  EXPECT_EQ(parse("[123456789012345678901234567890]").array()[0].number(), 1.2345678901234568e29);
  EXPECT_EQ(parse("5e-324").number(), 5e-324);
  expect_fault([] { parse("[1e999]"); }, "JSON: f.json, line 1", "number overflow");
}

TEST(Json, SkipsAByteOrderMark) {
  EXPECT_EQ(parse("\xEF\xBB\xBF{\"instruction\": 1}").object()[0].key, "instruction");
}

TEST(Json, NamesOtherEncodings) {
  expect_fault([] { parse("\xFF\xFE{\0}\0"s); }, "text in UTF-8: f.json",
               "the file is UTF-16 (little endian)", "iconv");
  expect_fault([] { parse("\xFE\xFF\0{\0}"s); }, "f.json", "UTF-16 (big endian)");
  expect_fault([] { parse("{\0}\0"s); }, "f.json", "UTF-16 (little endian)");
  expect_fault([] { parse("\0{\0}"s); }, "f.json", "UTF-16 (big endian)");
  expect_fault([] { parse("\xFF\xFE\0\0{\0\0\0"s); }, "f.json", "UTF-32 (little endian)");
  expect_fault([] { parse("\0\0\xFE\xFF\0\0\0{"s); }, "f.json", "UTF-32 (big endian)");
}

TEST(Json, NamesTheByteThatIsNotUtf8) {
  expect_fault([] { parse("{\"a\": \"x\xC3(\"}"); }, "text in UTF-8: f.json",
               "byte 0xC3 at offset 8 is not UTF-8");
  expect_fault([] { parse("\xEF\xBB\xBF\"\xED\xA0\xBD\""); }, "f.json", "byte 0xED at offset 4");
  for (const char* bad : {"\xC0\x80", "\xE0\x80\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
                          "\xF8\x88\x80\x80", "\x80", "\xE2\x82"}) {
    expect_fault([&] { parse("\""s + bad + "\""); }, "f.json", "at offset 1 is not UTF-8");
  }
}

TEST(Json, NamesLineAndColumnOfBrokenSyntax) {
  struct Case {
    std::string text;
    std::string place;
    std::string found;
  };
  const Case cases[] = {
      {"{\n  \"a\": 1,\n}", "line 3, column 1", "a comma before '}'"},
      {"[1, 2,]", "line 1, column 7", "a comma before ']'"},
      {"{\"a\" 1}", "line 1, column 6", "unexpected number literal"},
      {"{\"a\": 1", "line 1, column 8", "unexpected end of input"},
      {"{'a': 1}", "line 1, column 2", "invalid literal"},
      {"[NaN]", "line 1, column 2", "invalid literal"},
      {"[1] [2]", "line 1, column 5", "expected end of input"},
      {"[\"a\nb\"]", "line 1, column 4", "control character U+000A"},
      {"[\"\\ud83d\"]", "line 1", "surrogate U+D800..U+DBFF must be followed"},
      {"[01]", "line 1, column 3", "expected ']'"},
      {"// c\n1", "line 1, column 1", "invalid literal"},
  };
  for (const Case& each : cases) {
    expect_fault([&] { parse(each.text); }, "JSON: f.json, ", each.found, "correct the file");
    expect_part(fault_of([&] { parse(each.text); }).asked, each.place);
  }
  expect_fault([] { parse("[1\0]"s); }, "line 1, column 3", "a zero byte at offset 2");
  expect_fault([] { parse(" \n"); }, "JSON: f.json", "an empty file");
}

TEST(Json, NamesBothLinesOfAKeyGivenTwice) {
  expect_fault([] { parse("{\"a\": 1,\n \"b\": {},\n \"a\": 2}"); }, "JSON: f.json, line 3",
               "the key \"a\" a second time (first on line 1)", "keep one");
  std::string many = "{";
  for (int key = 0; key < 40; ++key) many += "\"k" + std::to_string(key) + "\": 1,\n";
  expect_fault([&] { parse(many + "\"k7\": 2}"); }, "line 41",
               "\"k7\" a second time (first on line 8)");
}

TEST(Json, RefusesDeepNesting) {
  const std::string fine(kMaxJsonDepth, '[');
  EXPECT_TRUE(parse(fine + std::string(kMaxJsonDepth, ']')).is_array());
  expect_fault([] { parse(std::string(1'000'000, '[')); }, "JSON: f.json, line 1, column 514",
               "nested deeper than 512 levels");
}

// Both readers must agree on every value: the fast one is only faster.
TEST(Json, ReadsTheSameBothWays) {
  const JsonSource source{"f.json"};
  JsonDecoder decoder;
  for (const char* text :
       {"null", "\"a\\u00e9\\ud83d\\ude00\"", "[1, -2, 3.5e-7, 18446744073709551615]",
        "{\"a\": {\"b\": [[], {}]}, \"\": 0}", " [ true , false ] ", "-0",
        "1.7976931348623157e308"}) {
    EXPECT_EQ(decoder.decode(text, source), decode_slowly(text, source)) << text;
  }
}

TEST(JsonFile, NamesTheFileByItsWholePath) {
  const TemporaryFolder folder;
  const auto path = folder.write("c.json", "{,}");
  expect_fault([&] { read_json(path); }, "JSON: " + path.native() + ", line 1, column 2",
               "unexpected ','");
  EXPECT_EQ(read_json(folder.write("d.json", "[1]")).array().size(), 1u);
}

TEST(JsonObject, GivesWhatIsThere) {
  const Value value =
      parse(R"({"n": 3, "f": 0.5, "t": true, "s": "x", "l": [1], "o": {"p": 1}, "nil": null})");
  const JsonObject object(value, "config.json");
  EXPECT_EQ(object.integer("n"), 3);
  EXPECT_EQ(object.number("f"), 0.5);
  EXPECT_EQ(object.number("n"), 3.0);
  EXPECT_TRUE(object.boolean("t"));
  EXPECT_EQ(object.string("s"), "x");
  EXPECT_EQ(object.array("l").size(), 1u);
  EXPECT_EQ(object.object("o").integer("p"), 1);
  EXPECT_EQ(object.optional_integer("n"), 3);
  EXPECT_EQ(object.optional_number("f"), 0.5);
  EXPECT_EQ(object.optional_boolean("t"), true);
  EXPECT_EQ(object.optional_string("s"), "x");
  EXPECT_EQ(object.optional_array("l")->size(), 1u);
  EXPECT_EQ(object.optional_object("o")->integer("p"), 1);
  for (const char* key : {"nil", "absent"}) {
    EXPECT_FALSE(object.has(key));
    EXPECT_FALSE(object.optional_integer(key) || object.optional_number(key) ||
                 object.optional_boolean(key) || object.optional_string(key) ||
                 object.optional_array(key) || object.optional_object(key));
  }
}

TEST(JsonObject, SaysWhatIsMissingOrWrong) {
  const Value value =
      parse(R"({"hidden_size": "64", "hiden": 1, "o": {"factor": null, "x": 1.5}})");
  const JsonObject object(value, "config.json");
  expect_fault([&] { object.integer("hidden_size"); }, "hidden_size in config.json",
               "a string, \"64\"", "give it as a whole number");
  expect_fault([&] { object.number("hidden_sise"); }, "hidden_sise in config.json",
               "no such key (did you mean 'hidden_size'?)", "give it as a number");
  const JsonObject inner = object.object("o");
  expect_fault([&] { inner.number("factor"); }, "o.factor in config.json", "null");
  expect_fault([&] { inner.integer("x"); }, "o.x in config.json", "the number 1.5");
  expect_fault([&] { inner.optional_string("x"); }, "o.x in config.json", "the number 1.5",
               "give it as a string");
  expect_fault([&] { object.boolean("o"); }, "o in config.json", "an object", "a boolean");
  expect_fault([&] { object.object("hidden_size"); }, "hidden_size in config.json", "a string",
               "an object");
  expect_fault([&] { object.array("absent"); }, "absent in config.json", "no such key", "a list");
  expect_fault([] { JsonObject(Value(Array()), "a.json"); }, "a.json", "a list, not an object");
  EXPECT_THROW(value.find("hidden_size")->integer(), InternalError);
}

TEST(Value, AssignsMembersInOrder) {
  Value value;
  value.set("b", 1);
  value.set("a", "x");
  value.set("b", 2.5);
  ASSERT_EQ(value.object().size(), 2u);
  EXPECT_EQ(value.object()[0].value.number(), 2.5);
  EXPECT_EQ(describe(Value::Kind::object), "an object");
}

}  // namespace
}  // namespace hone::formats
