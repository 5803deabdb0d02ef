#include "train/straggler_watch.h"

#include <gtest/gtest.h>

namespace hone::train {
namespace {

TEST(StragglerWatch, NamesTheRankThatTheOthersWaitFor) {
  StragglerWatch watch({"host a, pid 1", "host b, pid 2", "host c, pid 3"});
  EXPECT_EQ(watch.compare({6.0, 12.3, 6.1}, 10, 20),
            "steps 11 to 20: rank 1 (host b, pid 2) computed for 12.30 s, the others for 6.10 s, "
            "and wait for it: is its machine slower, hot, or shared?");
  // Once, until it is another one or has been well in between.
  EXPECT_FALSE(watch.compare({6.0, 12.3, 6.1}, 10, 30));
  EXPECT_TRUE(watch.compare({60.0, 12.3, 12.1}, 10, 40));
  EXPECT_FALSE(watch.compare({6.0, 6.3, 6.1}, 10, 50));
  EXPECT_TRUE(watch.compare({60.0, 12.3, 12.1}, 10, 60));
}

TEST(StragglerWatch, IsQuietAboutWhatIsUsual) {
  StragglerWatch watch({});
  EXPECT_FALSE(watch.compare({10.0, 14.9}, 10, 10));  // less than half as long again
  EXPECT_FALSE(watch.compare({0.001, 0.9}, 10, 20));  // less than a tenth of a second per step
  EXPECT_TRUE(watch.compare({0.001, 1.1}, 10, 30));
}

}  // namespace
}  // namespace hone::train
