#include <gtest/gtest.h>

#include "config/effective.h"
#include "config/reading/parse_number.h"
#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::Outcome;
using testing::train;

struct NumberCase {
  const char* written;
  double value;
};

class GoodNumber : public ::testing::TestWithParam<NumberCase> {};

TEST_P(GoodNumber, IsReadExactlyInFileAndWords) {
  const std::string written = GetParam().written;
  const Outcome file = train("learning_rate: " + written + "\n");
  EXPECT_TRUE(file.faults.empty()) << file.fault_text;
  EXPECT_EQ(file.result.settings.training.learning_rate, GetParam().value);
  if (written.find('#') != std::string::npos) return;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"learning_rate=" + written},
        {"--learning_rate", written},
        {"--learning_rate=" + written},
        {"--learning-rate=" + written}}) {
    const Outcome outcome = train("", words);
    if (written[0] == '"' && words[0][0] == '-') continue;  // the shell takes quotes of options
    EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
    EXPECT_EQ(outcome.result.settings.training.learning_rate, GetParam().value) << words[0];
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, GoodNumber,
                         ::testing::Values(NumberCase{"1e-5", 1e-5}, NumberCase{"1E-5", 1e-5},
                                           NumberCase{"1.0e-5", 1e-5}, NumberCase{"1.e-5", 1e-5},
                                           NumberCase{"+1e-5", 1e-5}, NumberCase{".00001", 1e-5},
                                           NumberCase{"5.e-6", 5e-6}, NumberCase{"\"1e-5\"", 1e-5},
                                           NumberCase{"1e-5 # note", 1e-5}, NumberCase{"0", 0.0},
                                           NumberCase{"2", 2.0}, NumberCase{"0.1", 0.1},
                                           NumberCase{"1e+0", 1.0}, NumberCase{"00.5", 0.5},
                                           NumberCase{"1_0.5", 10.5}));

struct BadCase {
  const char* written;
  const char* found;
};

class BadNumber : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadNumber, IsRefusedWithKeyValueAndLine) {
  const Outcome outcome = train("learning_rate: " + std::string(GetParam().written) + "\n");
  ASSERT_EQ(outcome.faults.size(), 1U) << outcome.fault_text;
  EXPECT_EQ(outcome.faults[0].asked,
            "learning_rate: '" + std::string(GetParam().written) + "' (base.yaml, line 4)");
  EXPECT_EQ(outcome.faults[0].found, GetParam().found);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, BadNumber,
    ::testing::Values(
        BadCase{"1e-5#note", "not a number"}, BadCase{"1e", "not a number"},
        BadCase{"1,0e-5", "not a number"}, BadCase{"nan", "not a number"},
        BadCase{"inf", "not a number"}, BadCase{"infinity", "not a number"},
        BadCase{"abc", "not a number"}, BadCase{"--1", "not a number"},
        BadCase{"+-1", "not a number"}, BadCase{"1e-5e", "not a number"},
        BadCase{"0x10", "not a number"}, BadCase{"1 000", "not a number"},
        BadCase{".", "not a number"}, BadCase{"true", "not a number"},
        BadCase{".nan", "a number out of range"}, BadCase{".NaN", "a number out of range"},
        BadCase{".inf", "a number out of range"}, BadCase{"-.inf", "a number out of range"},
        BadCase{"-1e-5", "a number out of range"}, BadCase{"1e999", "a number out of range"}));

TEST(Numbers, UnderscoresStandBetweenDigits) {
  EXPECT_EQ(train("max_steps: 1_000\n").result.settings.training.max_steps, 1000);
  for (const char* written : {"_1", "1_", "1__0", "1_.5", "1e_5"}) {
    EXPECT_EQ(train("learning_rate: " + std::string(written) + "\n").faults.at(0).found,
              "not a number")
        << written;
  }
}

TEST(Numbers, AZeroInFrontIsRefused) {
  for (const char* name : {"max_steps", "learning_rate", "logging_steps"}) {
    for (const char* written : {"012", "-007", "00", "0_1"}) {
      const Outcome outcome = train(std::string(name) + ": " + written + "\n");
      ASSERT_EQ(outcome.faults.size(), 1U) << name << written;
      EXPECT_EQ(outcome.faults[0].found,
                "a number with a zero in front, which YAML reads by eights");
      EXPECT_EQ(outcome.faults[0].remedy, "leave the zero out");
    }
  }
  EXPECT_EQ(train("seed: 0\nlearning_rate: 01.5\n").fault_text, "");
}

TEST(Numbers, EmptyTextIsNoNumber) {
  EXPECT_EQ(train("learning_rate: \"\"\n").faults.at(0).found, "not a number");
  EXPECT_EQ(train("", {"learning_rate="}).faults.at(0).found, "not a number");
}

TEST(Numbers, WholeNumbersMayBeWrittenAsFloats) {
  for (const char* written : {"1e3", "1000", "1000.0", "+1000", "\"1000\"", "1.0e3"}) {
    const Outcome outcome = train("max_steps: " + std::string(written) + "\n");
    EXPECT_TRUE(outcome.faults.empty()) << outcome.fault_text;
    EXPECT_EQ(outcome.result.settings.training.max_steps, 1000) << written;
  }
  for (const char* written : {"1.5", "1e-1", "ten", "1e300", "9007199254740994", "12 "}) {
    const Outcome outcome = train("lora_rank: '" + std::string(written) + "'\n");
    if (std::string(written) == "12 ") {
      EXPECT_EQ(outcome.result.settings.finetuning.lora_rank, 12);
    } else {
      EXPECT_EQ(outcome.faults.at(0).found, "not a whole number") << written;
    }
  }
}

TEST(Numbers, SizesHaveUnits) {
  struct Case {
    const char* written;
    std::int64_t bytes;
  };
  for (const Case& each : {Case{"8GiB", 8LL << 30},
                           {"8 GiB", 8LL << 30},
                           {"8G", 8LL << 30},
                           {"8gb", 8000000000},
                           {"1100", 1100LL << 20},
                           {"800MiB", 800LL << 20},
                           {"1.5k", 1536},
                           {"4096B", 4096},
                           {"1e3MB", 1000000000}}) {
    EXPECT_EQ(parse_bytes(each.written), each.bytes) << each.written;
  }
  for (const char* bad : {"", "GiB", "8XB", "8GiBs", "8,5G", "nan", "1e300T"}) {
    EXPECT_EQ(parse_bytes(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(train("memory_limit: 0\n").faults.at(0).found, "a size out of range");
  EXPECT_EQ(train("memory_limit: -1GiB\n").faults.at(0).found, "a size out of range");
}

TEST(Numbers, SizesAreShownAsPeopleWriteThem) {
  struct Case {
    const char* written;
    const char* shown;
  };
  for (const Case& each : {Case{"1.1GiB", "1.1 GiB"},
                           {"8gb", "8 GB"},
                           {"8G", "8 GiB"},
                           {"1024", "1 GiB"},
                           {"1100", "1100 MiB"},
                           {"0.5GiB", "512 MiB"},
                           {"1181116006B", "1.1 GiB"},
                           {"1048577B", "1048577 B"},
                           {"1000B", "1 KB"},
                           {"1023B", "1023 B"},
                           {"0B", "0 B"},
                           {"9007199254740992B", "8192 TiB"}}) {
    EXPECT_EQ(bytes_text(parse_bytes(each.written).value()), each.shown) << each.written;
  }
  // Whatever it is, what is shown means the same bytes.
  std::uint64_t random = 1;
  for (int i = 0; i < 20000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const auto bytes = static_cast<std::int64_t>(random >> (11 + i % 53));
    ASSERT_EQ(parse_bytes(bytes_text(bytes)), bytes);
  }
}

TEST(Numbers, SizesAreShownSoInSettingsAndFaults) {
  const Outcome outcome = train("memory_limit: 1181116006B\n");
  const std::string settings = to_text(effective_settings(outcome.result));
  EXPECT_NE(settings.find("memory_limit        1.1 GiB "), std::string::npos) << settings;
  ReadResult derived = outcome.result;
  derived.origins.erase("memory_limit");
  EXPECT_EQ(describe_setting(derived, "memory_limit"), "memory_limit: '1.1 GiB' (default)");
}

TEST(Numbers, AmountsOfSteps) {
  EXPECT_EQ(steps_of(10, 300), 10);
  EXPECT_EQ(steps_of(0.1, 30), 3);
  EXPECT_EQ(steps_of(0.1, 31), 4);  // rounded up
  EXPECT_EQ(steps_of(0, 30), 0);
  EXPECT_EQ(steps_of(1, 30), 1);
  EXPECT_EQ(steps_of(10, 411), 10);
  EXPECT_EQ(steps_of(1, 411), 1);
  EXPECT_EQ(steps_of(0.1, 411), 42);
  EXPECT_EQ(steps_of(0.5, 1), 1);
  EXPECT_EQ(train("logging_steps: 2.5\n").faults.at(0).found,
            "a number of steps that is not whole");
  EXPECT_EQ(train("logging_steps: 0.5\n").result.settings.training.logging_steps, 0.5);
}

}  // namespace
}  // namespace hone::config
