// Chat templates of the kinds that models come with, and small pieces of Jinja, against what
// transformers makes of them (tests/unit/data/record/record_chat_templates.py).
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/error.h"
#include "data/jinja/chat_template.h"
#include "formats/json.h"

namespace hone::data::jinja {
namespace {

using formats::Value;

const std::string kFolder = HONE_TEST_DATA "/chat_templates";

const Value& recorded() {
  static const Value read = formats::read_json(kFolder + "/recorded.json");
  return read;
}

// 5 November 2026, a Thursday, 9:07:03.
std::tm day() {
  std::tm time{};
  time.tm_mday = 5;
  time.tm_mon = 10;
  time.tm_year = 126;
  time.tm_wday = 4;
  time.tm_yday = 308;
  time.tm_hour = 9;
  time.tm_min = 7;
  time.tm_sec = 3;
  return time;
}

void expect_recorded(const std::string& source, const Value& variables, const Value& expected) {
  std::string text;
  try {
    text = ChatTemplate(source).render(variables, day());
  } catch (const UserError& error) {
    EXPECT_FALSE(expected.is_string())
        << "refused: " << error.what()
        << "\nwanted: " << (expected.is_string() ? expected.string() : "");
    return;
  }
  ASSERT_TRUE(expected.is_string())
      << "wanted: " << expected.find("error")->string() << "\ngot: " << text;
  EXPECT_EQ(text, expected.string());
}

TEST(JinjaRecorded, ChatTemplates) {
  for (const formats::Member& kind : recorded().find("templates")->object()) {
    std::ifstream file(kFolder + "/" + kind.key + ".jinja", std::ios::binary);
    std::ostringstream source;
    source << file.rdbuf();
    ASSERT_FALSE(source.str().empty());
    for (const formats::Member& talk : kind.value.object()) {
      SCOPED_TRACE(kind.key + " " + talk.key);
      expect_recorded(source.str(), *recorded().find("talks")->find(talk.key), talk.value);
    }
  }
}

TEST(JinjaRecorded, Pieces) {
  for (const Value& piece : recorded().find("pieces")->array()) {
    SCOPED_TRACE(piece.array()[0].string());
    expect_recorded(piece.array()[0].string(), *recorded().find("variables"), piece.array()[1]);
  }
}

}  // namespace
}  // namespace hone::data::jinja
