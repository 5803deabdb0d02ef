#include "base/error.h"

#include <gtest/gtest.h>

namespace hone {
namespace {

TEST(UserError, ShowsEveryFaultInThreeParts) {
  FaultList faults;
  EXPECT_NO_THROW(faults.throw_if_any());
  faults.add({"seed: 'x' (a.yaml, line 2)", "not a whole number", "write a number such as 42"});
  faults.add({"lora_rank: 0", "a rank below 1", "write 8"});
  try {
    faults.throw_if_any();
    FAIL() << "nothing was thrown";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "seed: 'x' (a.yaml, line 2)\n"
                 "  found: not a whole number\n"
                 "  to do: write a number such as 42\n"
                 "lora_rank: 0\n"
                 "  found: a rank below 1\n"
                 "  to do: write 8");
    EXPECT_EQ(error.faults().size(), 2u);
  }
}

TEST(Assertion, NamesFileConditionAndOperands) {
  const int rows = 3;
  try {
    HONE_ASSERT(rows == 4, rows, "rows");
    FAIL() << "nothing was thrown";
  } catch (const InternalError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("error_test.cpp"), std::string::npos);
    EXPECT_NE(text.find("rows == 4 does not hold, operands: 3 rows"), std::string::npos);
  }
}

}  // namespace
}  // namespace hone
