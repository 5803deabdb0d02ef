#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "report/plan_table.h"
#include "report/profile_table.h"
#include "report/text_table.h"

namespace hone::report {
namespace {

TEST(TextTable, LinesUp) {
  EXPECT_EQ(table_text({{"name", Align::left}, {"n"}}, {{"a", "1"}, {}, {"long name", "1000"}}),
            "  name          n\n"
            "  a             1\n"
            "  ---------------\n"
            "  long name  1000\n");
}

TEST(TextTable, CountsCharactersAndDropsBlanksAtTheEnd) {
  EXPECT_EQ(table_text({{"", Align::left}, {"", Align::left}}, {{"\xc3\xa9", "x"}, {"ab", ""}}),
            "  \xc3\xa9   x\n  ab\n");
}

TEST(TextTable, RefusesRowsOfAnotherWidth) {
  EXPECT_THROW(table_text({{"a"}, {"b"}}, {{"1"}}), InternalError);
}

constexpr Roof kRoof = {100e9, 20e9};

TEST(ProfileTable, ShareOfRoofIsThatOfTheTighterBound) {
  EXPECT_DOUBLE_EQ(share_of_roof({"matmul", 1, 2.0, 100e9, 1e9}, kRoof), 0.5);
  EXPECT_DOUBLE_EQ(share_of_roof({"copy", 1, 2.0, 1e9, 10e9}, kRoof), 0.25);
  EXPECT_TRUE(std::isnan(share_of_roof({"nothing", 0, 0, 0, 0}, kRoof)));
}

TEST(ProfileTable, ShowsTheLongestFirstAndTheRest) {
  EXPECT_EQ(profile_table({{"rms_norm_forward", 60, 0.25, 1e9, 2.5e9},
                           {"linear_forward", 1000, 1.0, 50e9, 5e9},
                           {"linear_forward", 210, 1.0, 50e9, 5e9},
                           {"never", 0, 0, 0, 0}},
                          2.5, kRoof),
            "Roof of this machine: 100 GFLOP/s, 20.0 GB/s\n"
            "  operation         calls     time  share  GFLOP/s  GB/s  of roof\n"
            "  linear_forward    1,210   2.00 s   80 %     50.0  5.00     50 %\n"
            "  rms_norm_forward     60   250 ms   10 %     4.00  10.0     50 %\n"
            "  never                 0  0.00 us  0.0 %        -     -        -\n"
            "  everything else           250 ms   10 %\n"
            "  ---------------------------------------------------------------\n"
            "  total             1,270   2.50 s  100 %     40.4  5.00     40 %\n");
}

TEST(ProfileTable, OfNothingIsATable) {
  EXPECT_EQ(profile_table({}, 0, {}),
            "Roof of this machine: 0.00 GFLOP/s, 0.00 GB/s\n"
            "  operation        calls     time  share  GFLOP/s  GB/s  of roof\n"
            "  everything else         0.00 us      -\n"
            "  --------------------------------------------------------------\n"
            "  total                0  0.00 us      -        -     -        -\n");
}

const std::vector<PlanLine> kLines = {{"weights (mapped)", std::uint64_t{1} << 30, "bf16"},
                                      {"optimizer state", 3 * 1024, ""}};

TEST(PlanTable, SaysThatItFits) {
  EXPECT_EQ(plan_table(kLines, {true, std::uint64_t{8} << 30, "memory of this machine", {}}),
            "  memory             planned\n"
            "  weights (mapped)  1.00 GiB  bf16\n"
            "  optimizer state   3.00 KiB\n"
            "  --------------------------------\n"
            "  total             1.00 GiB\n"
            "Fits: 1.00 GiB of 8.00 GiB (memory of this machine).\n");
}

TEST(PlanTable, SaysWhatIsMissingAndWhatHelps) {
  const std::string text = plan_table(
      kLines, {false,
               std::uint64_t{1} << 29,
               "memory_limit",
               {"finetuning_type: lora needs 200 MiB", "cutoff_len: 512 needs 400 MiB"}});
  EXPECT_NE(text.find("Does not fit: 1.00 GiB are needed, 512 MiB more than 512 MiB "
                      "(memory_limit).\n"
                      "To make it fit:\n"
                      "  - finetuning_type: lora needs 200 MiB\n"
                      "  - cutoff_len: 512 needs 400 MiB\n"),
            std::string::npos)
      << text;
}

TEST(PlanTable, WithoutALimitGivesNoVerdict) {
  EXPECT_EQ(plan_table({}, {}), "  memory  planned\n  ---------------\n  total       0 B\n");
}

}  // namespace
}  // namespace hone::report
