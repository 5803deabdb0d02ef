// Pictures of very short runs: never a reason for a finished run to fail.
#include <gtest/gtest.h>

#include <filesystem>

#include "kit/training_session.h"

namespace hone::kit {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPicture = "training_loss.png";

bool is_png(const fs::path& file) {
  return bytes_of(file).substr(0, 8) == "\x89PNG\r\n\x1a\n";
}

TEST(LossPlots, NoPointIsSaidAndDrawsNothing) {
  const Workshop shop({Kind::closed_form});
  const auto session = shop.run({"plot_loss=true", "logging_steps=10"});
  ASSERT_EQ(session->error, "");
  EXPECT_EQ(session->events.steps.size(), 2u);
  EXPECT_TRUE(session->log.has("loss"));
  EXPECT_FALSE(fs::exists(shop.results() / kPicture));
  EXPECT_TRUE(fs::exists(shop.results() / "model.safetensors"));
}

TEST(LossPlots, OnePoint) {
  const Workshop shop({Kind::closed_form});
  const auto session = shop.run({"plot_loss=true", "max_steps=1"});
  ASSERT_EQ(session->error, "");
  EXPECT_TRUE(is_png(shop.results() / kPicture));
}

TEST(LossPlots, StepWithoutLossIsAGap) {
  const Workshop shop({Kind::closed_form}, {{"x", "aaaa"}, {"x", ""}, {"x", "aa"}});
  const auto session = shop.run({"plot_loss=true", "template=empty", "disable_shuffling=true"});
  ASSERT_EQ(session->error, "");
  EXPECT_FALSE(session->events.steps.at(1).loss.has_value());
  EXPECT_TRUE(is_png(shop.results() / kPicture));
}

TEST(LossPlots, PictureThatCannotBeWrittenIsAWarning) {
  const Workshop shop({Kind::closed_form});
  fs::create_directories(shop.results() / kPicture / "in the way");
  const auto session = shop.run({"plot_loss=true"});
  ASSERT_EQ(session->error, "");
  EXPECT_TRUE(session->log.has("warning: No picture of loss"))
      << testing::PrintToString(session->log.lines);
  EXPECT_TRUE(fs::exists(shop.results() / "model.safetensors"));
}

TEST(LossPlots, WithoutEvaluationThereIsNoPictureOfIt) {
  const Workshop shop({Kind::closed_form});
  const auto session = shop.run({"plot_loss=true"});
  ASSERT_EQ(session->error, "");
  EXPECT_TRUE(session->log.has("eval_loss")) << testing::PrintToString(session->log.lines);
  EXPECT_FALSE(fs::exists(shop.results() / "training_eval_loss.png"));
}

TEST(LossPlots, EqualLossesHaveAnAxis) {
  const Workshop shop({Kind::closed_form}, {{"x", "a"}, {"x", "a"}, {"x", "a"}});
  const auto session = shop.run({"plot_loss=true"});
  ASSERT_EQ(session->error, "");
  EXPECT_EQ(session->losses()[0], session->losses()[2]);
  EXPECT_TRUE(is_png(shop.results() / kPicture));
}

}  // namespace
}  // namespace hone::kit
