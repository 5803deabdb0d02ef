// The surface that users build on: names, states, defaults, and the page that describes them.
#include <gtest/gtest.h>

#include <set>

#include "config/help.h"
#include "config/reading/parse_value.h"
#include "config/settings/declaration.h"
#include "unit/config/golden_text.h"

namespace hone::config {
namespace {

const char* state_word(State state) {
  switch (state) {
    case State::works:
      return "works";
    case State::no_effect:
      return "no effect";
    case State::refused:
      return "refused";
  }
  return "";
}

TEST(Surface, IsFrozen) {
  std::string surface;
  for (const Declaration& declaration : Declarations::all().list()) {
    surface += std::string(group_name(declaration.group)) + " | " + declaration.name + " | " +
               state_word(declaration.state) + " | " + declaration.default_text + "\n";
  }
  testing::expect_kept_text(surface, HONE_TEST_DATA "/surface.txt");
}

TEST(Surface, ThePageIsWhatTheDeclarationsSay) {
  testing::expect_kept_text(settings_page(), HONE_SOURCE_ROOT "/docs/settings.md");
}

TEST(Surface, NamesAreUnique) {
  std::set<std::string> names;
  for (const Declaration& declaration : Declarations::all().list()) {
    EXPECT_TRUE(names.insert(declaration.name).second) << declaration.name;
    for (const std::string& alias : declaration.aliases) {
      EXPECT_TRUE(names.insert(alias).second) << alias;
    }
  }
}

TEST(Surface, DeclarationsAreWhole) {
  for (const Declaration& declaration : Declarations::all().list()) {
    SCOPED_TRACE(declaration.name);
    EXPECT_FALSE(declaration.help.empty());
    EXPECT_EQ(declaration.help.find('|'), std::string::npos);  // it stands in a table
    EXPECT_EQ(declaration.help.back(), '.');
    EXPECT_FALSE(declaration.default_text.empty());
    EXPECT_EQ(declaration.reason.empty(), declaration.state == State::works);
    EXPECT_EQ(declaration.storage.get != nullptr, declaration.state == State::works);
    // Two parts: why, and what to do.
    if (declaration.state == State::refused) {
      EXPECT_NE(declaration.reason.find("; "), std::string::npos);
    }
    for (const Choice& choice : declaration.choices) {
      EXPECT_EQ(choice.refused.empty(), choice.index >= 0) << choice.name;
      const bool two_parts = choice.refused.find("; ") != std::string::npos;
      EXPECT_EQ(choice.refused.empty(), !two_parts) << choice.name;
    }
  }
}

TEST(Surface, DefaultsKeepTheirOwnRules) {
  for (const Declaration& declaration : Declarations::all().list()) {
    SCOPED_TRACE(declaration.name);
    if (declaration.state == State::works) {
      const SettingValue value = stored_value(declaration, Settings());
      if (to_text(value) == "null" || to_text(value).empty()) continue;
      const ParsedValue parsed =
          parse_value(declaration, {Written::Kind::scalar, false, to_text(value), {}}, "");
      EXPECT_TRUE(parsed.ok()) << parsed.found;
      EXPECT_EQ(parsed.value, value);
    } else if (declaration.default_text != "null") {
      const Written written{Written::Kind::scalar, false, declaration.default_text, {}};
      EXPECT_TRUE(parse_value(declaration, written, "").ok());
    }
  }
}

TEST(Help, OfOneSetting) {
  EXPECT_EQ(setting_help("lora-dropout"),
            "lora_dropout\n"
            "  Share of an adapter's inputs that is dropped in training.\n"
            "  values:   number of at least 0 and below 1\n"
            "  default:  0\n"
            "  commands: train, plan, chat, export\n"
            "  state:    works\n");
  EXPECT_EQ(setting_help("--evaluation_strategy"),
            "eval_strategy\n"
            "  When to evaluate.\n"
            "  values:   no, steps, epoch\n"
            "  default:  no\n"
            "  commands: train, plan\n"
            "  also:     evaluation_strategy\n"
            "  state:    works\n");
  EXPECT_NE(setting_help("ddp_backend").find("no effect here: ranks are"), std::string::npos);
  EXPECT_NE(setting_help("mixture_of_depths").find("refused: not in this version"),
            std::string::npos);
  EXPECT_NE(setting_help("stage").find("refused:  rm, ppo, dpo, kto"), std::string::npos);
}

TEST(Help, ListsEverySetting) {
  const std::string overview = settings_overview();
  const std::string page = settings_page();
  for (const Declaration& declaration : Declarations::all().list()) {
    EXPECT_NE(overview.find(" " + declaration.name), std::string::npos) << declaration.name;
    EXPECT_NE(page.find("`" + declaration.name + "`"), std::string::npos) << declaration.name;
  }
}

}  // namespace
}  // namespace hone::config
