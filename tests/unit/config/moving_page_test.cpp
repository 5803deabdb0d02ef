// docs/llamafactory.md says what is refused: that must be so, and nothing refused may be missing.
#include <gtest/gtest.h>

#include <regex>

#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::Outcome;

std::string page() {
  std::ifstream file(HONE_SOURCE_ROOT "/docs/llamafactory.md", std::ios::binary);
  EXPECT_TRUE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

// From a heading to the next one.
std::string section(const std::string& heading) {
  const std::string text = page();
  const std::size_t start = text.find("\n## " + heading + "\n");
  EXPECT_NE(start, std::string::npos) << heading;
  return text.substr(start, text.find("\n## ", start + 1) - start);
}

// What stands in backticks in the first cells of a section's table.
std::vector<std::string> first_cells(const std::string& heading) {
  std::vector<std::string> codes;
  std::istringstream lines(section(heading));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    const std::string cell = line.substr(0, line.find(" |", 2));
    const std::regex code("`([^`]*)`");
    for (std::sregex_iterator at(cell.begin(), cell.end(), code), end; at != end; ++at) {
      codes.push_back((*at)[1]);
    }
  }
  return codes;
}

// What a configuration with this line is refused for; a command is taken that knows the setting.
std::string refusal(const std::string& line) {
  const std::string name = line.substr(0, line.find(':'));
  const Declaration* declaration = Declarations::all().find(name);
  if (declaration == nullptr) return "no such setting";
  const Command command = takes(Command::train, *declaration) ? Command::train : Command::chat;
  const std::string rest = command == Command::train ? testing::least() : "model_name_or_path: m\n";
  const Outcome outcome = testing::read_text(command, rest + line + "\n");
  return outcome.faults.empty() ? "nothing" : outcome.faults[0].asked;
}

TEST(MovingPage, WhatItCallsRefusedIsRefused) {
  const std::vector<std::string> lines = first_cells("What is refused");
  EXPECT_GT(lines.size(), 50u);
  for (const std::string& line : lines) {
    EXPECT_EQ(refusal(line).rfind(line.substr(0, line.find(':')) + ": '", 0), 0u)
        << line << ": " << refusal(line);
  }
}

TEST(MovingPage, NamesEverySettingThatIsRefused) {
  const std::string text = section("What is refused");
  for (const Declaration& declaration : Declarations::all().list()) {
    if (declaration.state != State::refused || declaration.group == Group::evaluation) continue;
    EXPECT_TRUE(text.find("`" + declaration.name + "`") != std::string::npos ||
                text.find("`" + declaration.name + ": ") != std::string::npos)
        << declaration.name;
  }
}

// Every setting that the page names in this section has no effect.
TEST(MovingPage, WhatItCallsWithoutEffectIsSo) {
  const std::string text = section("What has no effect");
  const std::regex code("`([a-z_0-9]+)`");
  int seen = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), code), end; at != end; ++at) {
    const Declaration* declaration = Declarations::all().find((*at)[1].str());
    ASSERT_NE(declaration, nullptr) << (*at)[1];
    if (declaration->name == "preprocessing_num_workers") continue;  // without packing
    EXPECT_EQ(declaration->state, State::no_effect) << declaration->name;
    ++seen;
  }
  EXPECT_GT(seen, 15);
}

}  // namespace
}  // namespace hone::config
