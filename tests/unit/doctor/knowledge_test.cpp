// The knowledge is whole: every known failure is a check, an explanation, or says why it cannot be
// seen.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include <fmt/format.h>

#include "doctor/explain.h"
#include "doctor/patterns.h"

namespace hone::doctor {
namespace {

// Groups of the catalogue of failures, and how many each has.
const std::map<std::string, int> kGroups = {{"DEV", 20}, {"DRV", 8},  {"BIN", 15}, {"BLAS", 12},
                                            {"LCH", 12}, {"MEM", 17}, {"FLT", 17}, {"NET", 27},
                                            {"NUM", 8},  {"ENV", 8},  {"D", 32},   {"RUN", 2}};

TEST(Knowledge, HasEveryFailureOnce) {
  std::set<std::string> wanted;
  for (const auto& [group, count] : kGroups) {
    for (int i = 1; i <= count; ++i) wanted.insert(fmt::format("{}-{:02}", group, i));
  }
  std::set<std::string> there;
  for (const Entry* entry : all_entries()) {
    EXPECT_TRUE(there.insert(std::string(entry->id)).second) << entry->id << " twice";
  }
  EXPECT_EQ(there, wanted);
}

TEST(Knowledge, EveryEntryIsSeenOrSaysWhyNot) {
  for (const Entry* entry : all_entries()) {
    const bool seen = entry->checked || !entry->patterns.empty();
    EXPECT_NE(seen, !entry->undetectable.empty()) << entry->id;
    EXPECT_FALSE(entry->symptom.empty() || entry->cause.empty() || entry->remedy.empty())
        << entry->id;
    EXPECT_EQ(entry->symptom.back(), '.') << entry->id;
    EXPECT_EQ(entry->cause.back(), '.') << entry->id;
    EXPECT_NE(when_detectable(*entry), seen ? "not by hone" : "") << entry->id;
  }
}

TEST(Knowledge, PatternsAreWrittenSmallAndCanMatch) {
  for (const Entry* entry : all_entries()) {
    std::string_view rest = entry->patterns;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::string text(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      ASSERT_GE(text.size(), 5u) << entry->id;
      EXPECT_EQ(text, small_letters(text)) << entry->id;
      if (text.find_first_of("!?.") == 0) text.erase(0, 1);
      for (std::size_t star = text.find('*'); star != std::string::npos; star = text.find('*')) {
        text.replace(star, 1, " ~ ");
      }
      const std::vector<Explanation> found = explain(text);
      ASSERT_FALSE(found.empty()) << text;
      EXPECT_EQ(found.front().entry->id, entry->id) << text;
    }
  }
}

TEST(Knowledge, AnEntryIsFoundByItsName) {
  EXPECT_EQ(entry("DEV-03").id, "DEV-03");
  EXPECT_THROW(entry("DEV-99"), InternalError);
}

TEST(Patterns, PartsComeInOrder) {
  EXPECT_TRUE(best_match("a*b", "xx a yy b"));
  EXPECT_FALSE(best_match("a*b", "b a"));
  EXPECT_FALSE(best_match("", "anything"));
  EXPECT_EQ(best_match("?long enough\n!ab", "long enough ab")->weight, Weight::cause);
  EXPECT_EQ(best_match(".ab", "ab")->weight, Weight::harmless);
  EXPECT_EQ(best_match("ab*cd\nab", "ab cd")->letters, 4u);
}

}  // namespace
}  // namespace hone::doctor
