#include "formats/yaml.h"

#include "unit/formats/expect_fault.h"
#include "unit/formats/temporary_folder.h"

namespace hone::formats {
namespace {

using namespace std::string_literals;
using Kind = YamlNode::Kind;

YamlNode parse(std::string_view text) {
  return parse_yaml(text, "f.yaml");
}

void expect_refused(const std::string& text, const std::string& asked, const std::string& found,
                    const std::string& remedy = "") {
  SCOPED_TRACE(text);
  expect_fault([&] { parse(text); }, asked, found, remedy);
}

TEST(Yaml, KeepsScalarsAsTheyAreWritten) {
  const YamlNode root = parse(
      "# comment\n"
      "lr: 1.0e-5   # why\n"
      "off: no\n"
      "quoted: \"1e-5\\n\\u00e9\"\n"
      "single: 'it''s'\n"
      "tagged: !!str 5\n"
      "url: http://a#b\n"
      "block: |\n  one\n   two\n"
      "folded: >-\n  one\n  two\n"
      "long: a\n  b\n");
  ASSERT_EQ(root.kind, Kind::map);
  ASSERT_EQ(root.entries.size(), 9u);
  EXPECT_EQ(root.entries[0].key, "lr");
  EXPECT_EQ(root.entries[0].line, 2);
  const auto expect = [&](const char* key, const std::string& text, bool quoted, int line) {
    const YamlNode* node = root.find(key);
    ASSERT_NE(node, nullptr) << key;
    EXPECT_EQ(node->kind, Kind::scalar) << key;
    EXPECT_EQ(node->text, text) << key;
    EXPECT_EQ(node->quoted, quoted) << key;
    EXPECT_EQ(node->line, line) << key;
  };
  expect("lr", "1.0e-5", false, 2);
  expect("off", "no", false, 3);
  expect("quoted", "1e-5\n\xC3\xA9", true, 4);
  expect("single", "it's", true, 5);
  expect("tagged", "5", true, 6);
  expect("url", "http://a#b", false, 7);
  expect("block", "one\n two\n", true, 8);
  expect("folded", "one two", true, 11);
  expect("long", "a b", false, 14);
  EXPECT_EQ(root.find("none"), nullptr);
}

TEST(Yaml, ReadsListsAndMaps) {
  const YamlNode root = parse("a: [x, 'y',]\nb:\n- 1\n- c: 2\n  d: 3\ne: {f: , g: [ ]}\n");
  EXPECT_EQ(root.find("a")->items[1].text, "y");
  EXPECT_EQ(root.find("b")->items[1].find("d")->text, "3");
  EXPECT_EQ(root.find("e")->find("f")->kind, Kind::null);
  EXPECT_EQ(root.find("e")->find("g")->kind, Kind::list);
  EXPECT_EQ(describe(root.find("e")->kind), "a map");
}

TEST(Yaml, TellsNothingFromText) {
  const YamlNode root = parse("a:\nb: ~\nc: null\nd: 'null'\n'e''\"':\n\"f\\\"'\" : # x\n&g g:\n");
  for (const char* key : {"e'\"", "f\"'", "g"}) {
    ASSERT_NE(root.find(key), nullptr) << key;
    EXPECT_EQ(root.find(key)->kind, Kind::null) << key;
  }
  for (const char* key : {"a", "b", "c"}) EXPECT_EQ(root.find(key)->kind, Kind::null) << key;
  EXPECT_EQ(root.find("d")->text, "null");
}

TEST(Yaml, ReadsAnEmptyFileAsNothing) {
  for (const char* text : {"", "# only\n", "\n\n", "---\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(parse(text).kind, Kind::null) << text;
  }
}

TEST(Yaml, AcceptsMarksOfDocumentsAndForeignLineEnds) {
  EXPECT_EQ(parse("%YAML 1.1\n---\na: 1\n...\n").find("a")->text, "1");
  EXPECT_EQ(parse("a: 1\r\nb: 2\r\n").find("b")->text, "2");
  EXPECT_EQ(parse("\xEF\xBB\xBF"
                  "a: 1\n")
                .entries[0]
                .key,
            "a");
}

TEST(Yaml, KeepsTheEndOfABlockWithoutLineEnd) {
  EXPECT_EQ(parse("a: |\n  x").find("a")->text, "x");
  EXPECT_EQ(parse("a: |\n  x\n").find("a")->text, "x\n");
}

TEST(Yaml, ResolvesAliasesAndMerges) {
  const YamlNode root = parse(
      "base: &b {p: 1, q: [2]}\nother: &o {p: 8, r: 9}\nsame: *b\n"
      "one:\n  q: 5\n  <<: *b\ntwo:\n  <<: [*b, *o]\n\"<<\": text\n");
  EXPECT_EQ(root.find("same")->find("q")->items[0].text, "2");
  EXPECT_EQ(root.find("one")->find("p")->text, "1");
  EXPECT_EQ(root.find("one")->find("q")->text, "5");
  EXPECT_EQ(root.find("two")->find("p")->text, "1");
  EXPECT_EQ(root.find("two")->find("r")->text, "9");
  EXPECT_EQ(root.find("<<")->text, "text");
}

TEST(Yaml, NamesBothLinesOfAKeyGivenTwice) {
  expect_refused("a: 1\nb: 2\na: 3\n", "YAML: f.yaml, line 3",
                 "the key 'a' a second time (first on line 1)", "keep one");
  expect_refused("x:\n  y: 1\n  \"y\": 2\n", "line 3", "'y' a second time (first on line 2)");
}

TEST(Yaml, NamesWhatIsWrong) {
  expect_refused("a:\n\tb: 1\n", "YAML: f.yaml, line 2", "a tab in the indentation", "spaces only");
  expect_refused("a: 1\n\tb: 2\n", "line 2", "a tab in the indentation");
  expect_refused("a: 1\n  b: 2\n", "line 2, column 4", "a ':' where no key can stand",
                 "indentation");
  expect_refused("a: b: c\n", "line 1, column 5", "a ':' where no key can stand");
  expect_refused("a: [1, 2\n", "line 2", "a '[' that is not closed");
  expect_refused("a: 'x' y\n", "line 1", "text where a key and ':' are expected");
  expect_refused("a: @x\n", "line 1, column 4", "unknown token");
  expect_refused("a: 1\n---\nb: 2\n", "line 2", "a second document", "keep one document");
  expect_refused("a: \"x\ny: 1\n", "line 1", "a quotation mark that is not closed", "close it");
  expect_refused("a: 'x", "line 1", "a quotation mark that is not closed");
  expect_refused("a: 1\ndo_train\n", "line 2", "text where a key and ':' are expected",
                 "after keys");
  // At the end of a document yaml-cpp itself takes a word for a key.
  expect_refused("a: 1\ndo_train\n...\n", "line 2", "'do_train' without ':' and a value",
                 "key: value");
  expect_refused("a: 1\n'b'\n...\n", "line 2", "text where a key and ':' are expected");
  expect_refused("model:\nfoo\n", "line 2", "the value of 'model' without indentation",
                 "indent it");
}

TEST(Yaml, RefusesWhatSettingsNeverNeed) {
  expect_refused("? [a]\n: 1\n", "line 1", "a list in the place of a key");
  expect_refused("{a: 1}: 2\n", "line 1", "a map in the place of a key", "quote");
  expect_refused("~: 1\n", "line 1", "nothing in the place of a key", "name");
  expect_refused("a: &x b\n*x : 1\n", "line 2", "an alias in the place of a key");
  expect_refused("a: !!int 5\n", "line 1", "the tag tag:yaml.org,2002:int", "remove the tag");
  expect_refused("a: !!python/object:os.x {}\n", "line 1", "the tag tag:yaml.org,2002:python");
  expect_refused("a: *none\n", "line 1, column 4", "anchor is not defined");
  expect_refused("a: &x [*x]\n", "line 1", "an alias inside of what it stands for");
  expect_refused("a:\n  <<: 5\n", "line 2", "a value after the merge key <<", "a map");
}

TEST(Yaml, NamesOtherEncodingsAndBadBytes) {
  expect_refused(
      "\xFF\xFE"
      "a\0"s,
      "text in UTF-8: f.yaml", "the file is UTF-16 (little endian)");
  expect_refused("a: \xC3(\n", "text in UTF-8: f.yaml", "byte 0xC3 at offset 3 is not UTF-8");
  expect_refused("a: 1\nb: x\0\n"s, "YAML: f.yaml, line 2, column 5", "control character 0x00");
  expect_refused("a: \x1b[31m\n", "line 1, column 4", "control character 0x1B");
}

TEST(Yaml, LimitsWhatAFileMayGrowTo) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (char level = '1'; level < '9'; ++level) {
    const std::string below = {' ', '*', 'a', static_cast<char>(level - 1), ','};
    bomb += {'a', level, ':', ' ', '&', 'a', level, ' ', '['};
    for (int copy = 0; copy < 10; ++copy) bomb += below;
    bomb += "]\n";
  }
  expect_refused(bomb, "YAML: f.yaml, line 5", "more than 100000 values", "smaller");
  expect_refused("a: " + std::string(200, '[') + std::string(200, ']') + "\n", "line 1",
                 "nesting deeper than 100 levels");
  const TemporaryFolder folder;
  const auto path = folder.write("f.yaml", "a: " + std::string(2 << 20, 'x'));
  expect_fault([&] { read_yaml(path); }, path.native(), "more than the 1048576 allowed here");
}

TEST(YamlFile, NamesTheFileByItsWholePath) {
  const TemporaryFolder folder;
  const auto path = folder.write("f.yaml", "a: 1\na: 2\n");
  expect_fault([&] { read_yaml(path); }, "YAML: " + path.native() + ", line 2",
               "'a' a second time");
  EXPECT_EQ(read_yaml(folder.write("g.yaml", "a: 1\n")).find("a")->text, "1");
}

}  // namespace
}  // namespace hone::formats
