// How prompt and answer share cutoff_len, as whole runs count it. The rule is not monotone.
#include <gtest/gtest.h>

#include "kit/training_session.h"

namespace hone::kit {
namespace {

struct Cut {
  std::int64_t cutoff, prompt, labels;
};

void expect_cuts(const Example& example, const std::vector<Cut>& cuts) {
  const Workshop shop({Kind::closed_form}, {example, {"x", "b"}});
  for (const Cut& cut : cuts) {
    SCOPED_TRACE(cut.cutoff);
    const auto session = shop.plan({"cutoff_len=" + std::to_string(cut.cutoff)});
    if (cut.labels == 0) {
      // Both records are without a label at such lengths: nothing is left to learn.
      EXPECT_NE(session->error.find("no record with a token to learn"), std::string::npos);
      EXPECT_NE(session->error.find("cutoff_len (" + std::to_string(cut.cutoff) + ")"),
                std::string::npos)
          << session->error;
      EXPECT_TRUE(session->log.has("no label after truncation"));
      continue;
    }
    ASSERT_EQ(session->error, "");
    const data::RecordSize& size = session->record_sizes.at(0);
    EXPECT_EQ(size.tokens, cut.prompt + cut.labels);
    EXPECT_EQ(size.counted_labels, cut.labels);
  }
}

TEST(CutoffLength, LongPromptAndAnswer) {
  expect_cuts({std::string(101, 'x'), std::string(60, 'y')}, {{200, 120, 62},
                                                              {181, 119, 62},
                                                              {128, 66, 62},
                                                              {125, 63, 62},
                                                              {124, 82, 42},
                                                              {64, 43, 21},
                                                              {32, 22, 10},
                                                              {4, 3, 1},
                                                              {2, 2, 0}});
}

TEST(CutoffLength, LongAnswer) {
  expect_cuts({"x", std::string(200, 'y')}, {{64, 20, 44}, {41, 20, 21}, {40, 4, 36}});
}

TEST(CutoffLength, ShortRecord) {
  expect_cuts({"x", "b"}, {{23, 20, 3}, {22, 19, 3}, {7, 4, 3}, {6, 6, 0}});
}

// The kept labels are the first ones: the closed-form loss of the labels that are left tells which.
TEST(CutoffLength, CutAnswerHasNoEos) {
  const Workshop shop({Kind::closed_form}, {{"x", std::string(200, 'a')}});
  const auto session = shop.run({"cutoff_len=64"});
  ASSERT_EQ(session->error, "");
  EXPECT_EQ(session->first().label_tokens, 44);
  EXPECT_NEAR(*session->first().loss, std::log(2.0), 1e-5);
  EXPECT_TRUE(session->log.has("cutoff_len"));
}

TEST(CutoffLength, RecordsCutToNothingAreCounted) {
  const Workshop shop({Kind::closed_form}, {{"x", "b"}, {"", "aaaaaaaaaaaa"}});
  const auto session = shop.run({"cutoff_len=6", "per_device_train_batch_size=2"});
  ASSERT_EQ(session->error, "");
  EXPECT_TRUE(session->log.has("1 record has no label after truncation"));
  EXPECT_GT(session->first().label_tokens, 0);
}

}  // namespace
}  // namespace hone::kit
