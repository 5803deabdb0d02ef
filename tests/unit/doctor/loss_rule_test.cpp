// The rule about the loss on curves of healthy and of sick runs. It must not cry wolf.
#include "doctor/loss_rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/error.h"

namespace hone::doctor {
namespace {

using Kind = LossVerdict::Kind;

// A generator of noise of our own, so that the curves are the same everywhere: uniform in [-1, 1).
class Noise {
 public:
  double next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state_ >> 11) / 4503599627370496.0 - 1.0;
  }

 private:
  std::uint64_t state_ = 12345;
};

std::vector<LossPoint> curve(int count, const std::function<double(double, double)>& loss,
                             const std::function<double(double)>& rate) {
  std::vector<LossPoint> points;
  Noise noise;
  for (int i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) / (count - 1);
    points.push_back({i + 1, loss(t, noise.next()), rate(t)});
  }
  return points;
}

double constant_rate(double) {
  return 1e-4;
}
double cosine_rate(double t) {
  return t < 0.1 ? t * 1e-3 : 0.5e-4 * (1 + std::cos(3.14159 * t));
}

struct Case {
  const char* name;
  std::vector<LossPoint> points;
};

std::vector<LossPoint> recorded(const char* name) {
  return read_losses(std::string(HONE_TEST_DATA) + "/" + name);
}

std::vector<Case> healthy() {
  return {
      {"recorded: a small model on a small set", recorded("healthy.jsonl")},
      {"fast at first, then level",
       curve(
           200, [](double t, double n) { return 1.1 + 1.4 * std::exp(-t * 40) + 0.05 * n; },
           cosine_rate)},
      {"noisy batches of one record",
       curve(
           300, [](double t, double n) { return 1.6 - 0.4 * t + 0.7 * n; }, cosine_rate)},
      {"a good model that learns little, in noise",
       curve(
           60, [](double t, double n) { return 1.25 - 0.08 * t + 0.2 * n; }, cosine_rate)},
      {"steps at the ends of epochs",
       curve(
           150,
           [](double t, double n) {
             return (t < 0.34 ? 1.5 : t < 0.67 ? 1.0 : 0.6) + 0.06 * n;
           },
           cosine_rate)},
      {"a long run that falls slowly, and surely",
       curve(
           600, [](double t, double n) { return 2.2 - 0.03 * t + 0.03 * n; }, cosine_rate)},
      {"everything learned",
       curve(
           100, [](double, double n) { return 0.004 + 0.001 * n; }, constant_rate)},
  };
}

std::vector<Case> sick() {
  return {
      {"flat from the beginning",
       curve(
           120, [](double, double n) { return 2.3 + 0.05 * n; }, constant_rate)},
      {"falls, then rises above all", curve(
                                          150,
                                          [](double t, double n) {
                                            return (t < 0.4 ? 2.2 - 2 * t : 1.4 + 3 * (t - 0.4)) +
                                                   0.1 * n;
                                          },
                                          constant_rate)},
      {"a jump that it does not come back from",
       curve(
           100, [](double t, double n) { return (t < 0.5 ? 1.5 - t : 6.5) + 0.1 * n; },
           constant_rate)},
      {"swings more and more",
       curve(
           200, [](double t, double n) { return 2.0 - 0.2 * t + (0.05 + 1.6 * t * t) * n; },
           constant_rate)},
      {"a learning rate that moves nothing",
       curve(
           80, [](double, double n) { return 1.8 + 0.03 * n; }, [](double) { return 1e-9; })},
      {"grows slowly all the time",
       curve(
           100, [](double t, double n) { return 1.5 + 0.5 * t + 0.1 * n; }, constant_rate)},
  };
}

TEST(LossRule, NoFalseAlarm) {
  for (const Case& one : healthy()) {
    const LossVerdict verdict = judge_losses(one.points);
    EXPECT_FALSE(verdict.alarming()) << one.name << ": " << verdict.found;
    EXPECT_NE(verdict.kind, Kind::too_few) << one.name;
  }
}

TEST(LossRule, FindsSickRuns) {
  const std::vector<Kind> kinds = {Kind::flat,   Kind::rises, Kind::rises,
                                   Kind::swings, Kind::flat,  Kind::rises};
  std::size_t i = 0;
  for (const Case& one : sick()) {
    const LossVerdict verdict = judge_losses(one.points);
    EXPECT_EQ(verdict.kind, kinds[i++]) << one.name << ": " << verdict.found;
    EXPECT_TRUE(verdict.alarming()) << one.name;
  }
}

// Other noise must not change a verdict: the healthy curves, twenty times each.
TEST(LossRule, NoFalseAlarmWhateverTheNoise) {
  Noise noise;
  for (const Case& one : healthy()) {
    for (int round = 0; round < 20; ++round) {
      std::vector<LossPoint> points = one.points;
      for (LossPoint& point : points) point.loss = *point.loss * (1 + 0.02 * noise.next());
      const LossVerdict verdict = judge_losses(points);
      EXPECT_FALSE(verdict.alarming()) << one.name << ": " << verdict.found;
    }
  }
}

TEST(LossRule, SaysWhatToDo) {
  const std::vector<Case> cases = sick();
  LossVerdict verdict = judge_losses(cases[0].points);
  EXPECT_EQ(verdict.found.rfind("the loss does not fall: 2.", 0), 0u) << verdict.found;
  EXPECT_EQ(
      verdict.remedy,
      "lower learning_rate from 0.0001 to 5e-05, and set warmup_ratio: 0.1; with fp16: true use "
      "bf16: true instead");
  verdict = judge_losses(cases[4].points);
  EXPECT_EQ(verdict.remedy, "raise learning_rate: 1e-09 is too small to move anything");
  verdict = judge_losses(curve(120, [](double, double n) { return 2.3 + 0.05 * n; }, cosine_rate));
  EXPECT_NE(verdict.remedy.find("make the warm-up longer"), std::string::npos) << verdict.remedy;
  verdict = judge_losses(cases[1].points);
  EXPECT_EQ(verdict.found.rfind("the loss rose again, from 1.", 0), 0u) << verdict.found;
}

TEST(LossRule, TooFewAndNotANumber) {
  std::vector<LossPoint> points(kFewestLosses - 1, LossPoint{1, 2.0, 1e-4});
  EXPECT_EQ(judge_losses(points).found, "19 logged losses are too few to judge; 20 are needed");
  EXPECT_FALSE(judge_losses(points).alarming());
  EXPECT_EQ(judge_losses({}).kind, Kind::too_few);
  points.push_back({77, std::nullopt, 1e-4});
  const LossVerdict verdict = judge_losses(points);
  EXPECT_EQ(verdict.found, "the loss of step 77 is not a number");
  EXPECT_EQ(verdict.remedy, "use bf16: true instead of fp16: true, and lower learning_rate");
  points.assign(50, LossPoint{1, 2.0, std::nullopt});  // not a bit of noise, no rate
  EXPECT_EQ(judge_losses(points).kind, Kind::flat);
}

class LossLog : public testing::Test {
 protected:
  LossLog() { std::filesystem::create_directories(folder_); }
  ~LossLog() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& text) {
    std::ofstream(folder_ / "trainer_log.jsonl", std::ios::binary) << text;
  }
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "hone_loss_log";
};

TEST_F(LossLog, TheLastRunCounts) {
  write(
      "{\"current_steps\": 1, \"loss\": 9.0}\n{\"current_steps\": 2, \"loss\": 8.0}\n"
      "{\"current_steps\": 2, \"eval_loss\": 1.0}\n{\"current_steps\": 1, \"loss\": 5.0, \"lr\": "
      "1e-4}\n"
      "{\"current_steps\": 2, \"loss\": null}\n{\"current_steps\": 3, \"loss\": 4");
  const std::vector<LossPoint> points = read_losses(folder_ / "trainer_log.jsonl");
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].loss, 5.0);
  EXPECT_EQ(points[0].learning_rate, 1e-4);
  EXPECT_FALSE(points[1].loss);
}

TEST_F(LossLog, TheRemarkAtTheEndOfARun) {
  EXPECT_EQ(loss_remark(folder_), "");
  std::string text;
  for (int i = 1; i <= 30; ++i) {
    text += "{\"current_steps\": " + std::to_string(i) + ", \"loss\": 2.5, \"lr\": 0.0001}\n";
  }
  write(text);
  EXPECT_EQ(
      loss_remark(folder_),
      "the loss does not fall: 2.5 at the beginning, 2.5 at the end; lower learning_rate from "
      "0.0001 to 5e-05, and set warmup_ratio: 0.1; with fp16: true use bf16: true instead");
  write("no log\n");
  EXPECT_EQ(loss_remark(folder_), "");
  EXPECT_THROW(read_losses(folder_ / "trainer_log.jsonl"), UserError);
  EXPECT_THROW(read_losses(folder_ / "elsewhere.jsonl"), UserError);
}

}  // namespace
}  // namespace hone::doctor
