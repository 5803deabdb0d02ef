#include "generate/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/error.h"

namespace hone::generate {
namespace {

constexpr double kRounding = 1e-7;  // logits are f32

// Logits whose softmax is exactly these probabilities.
std::vector<float> logits_of(const std::vector<double>& probabilities) {
  std::vector<float> logits;
  for (const double p : probabilities) logits.push_back(static_cast<float>(std::log(p)));
  return logits;
}

std::map<std::int32_t, double> distribution(const SamplingOptions& options,
                                            const std::vector<float>& logits,
                                            const std::vector<std::int32_t>& before = {}) {
  Sampler sampler(options, static_cast<std::int64_t>(logits.size()));
  std::map<std::int32_t, double> result;
  double previous = 2.0;
  for (const Candidate& candidate : sampler.candidates(logits, before)) {
    EXPECT_LE(candidate.probability, previous);
    previous = candidate.probability;
    result[candidate.token] = candidate.probability;
  }
  return result;
}

void expect_distribution(const std::map<std::int32_t, double>& ours,
                         const std::map<std::int32_t, double>& wanted) {
  ASSERT_EQ(ours.size(), wanted.size());
  for (const auto& [token, probability] : wanted) {
    ASSERT_EQ(ours.count(token), 1u) << token;
    EXPECT_NEAR(ours.at(token), probability, kRounding) << token;
  }
}

const std::vector<double> kFive = {0.1, 0.4, 0.05, 0.25, 0.2};

TEST(Sampler, WithoutLimitsGivesTheSoftmax) {
  expect_distribution(distribution({}, logits_of(kFive)),
                      {{0, 0.1}, {1, 0.4}, {2, 0.05}, {3, 0.25}, {4, 0.2}});
}

TEST(Sampler, AConstantAddedToAllLogitsChangesNothing) {
  std::vector<float> logits = logits_of({0.5, 0.25, 0.25});
  for (float& logit : logits) logit += 512.0f;
  const auto ours = distribution({}, logits);
  EXPECT_NEAR(ours.at(0), 0.5, 1e-4);  // f32 at 512 has 3e-5 between neighbours
  EXPECT_NEAR(ours.at(1), 0.25, 1e-4);
}

TEST(Sampler, TemperatureIsAPowerOfTheProbabilities) {
  // p^(1/T): with T = 0.5 the squares, with T = 2 the roots.
  const double squares = 0.64 * 0.64 + 0.36 * 0.36;
  expect_distribution(distribution({.temperature = 0.5}, logits_of({0.64, 0.36})),
                      {{0, 0.64 * 0.64 / squares}, {1, 0.36 * 0.36 / squares}});
  expect_distribution(distribution({.temperature = 2.0}, logits_of({0.64, 0.36})),
                      {{0, 0.8 / 1.4}, {1, 0.6 / 1.4}});
}

TEST(Sampler, AVerySmallTemperatureIsTheLikeliest) {
  expect_distribution(distribution({.temperature = 1e-6, .top_p = 0.9}, logits_of(kFive)),
                      {{1, 1.0}});
}

TEST(Sampler, TopKKeepsTheLikeliest) {
  expect_distribution(distribution({.top_k = 1}, logits_of(kFive)), {{1, 1.0}});
  expect_distribution(distribution({.top_k = 2}, logits_of(kFive)),
                      {{1, 0.4 / 0.65}, {3, 0.25 / 0.65}});
  EXPECT_EQ(distribution({.top_k = 5}, logits_of(kFive)).size(), 5u);
  EXPECT_EQ(distribution({.top_k = 99}, logits_of(kFive)).size(), 5u);
}

TEST(Sampler, TopKKeepsWhatIsAsLikelyAsTheLast) {
  expect_distribution(distribution({.top_k = 2}, {0.0f, 1.0f, 0.0f, 0.0f, -1.0f}), [] {
    const double all = std::exp(1.0) + 3.0;
    return std::map<std::int32_t, double>{
        {0, 1.0 / all}, {1, std::exp(1.0) / all}, {2, 1.0 / all}, {3, 1.0 / all}};
  }());
}

TEST(Sampler, TopPKeepsTheSmallestSetThatReachesIt) {
  expect_distribution(distribution({.top_p = 0.39}, logits_of(kFive)), {{1, 1.0}});
  expect_distribution(distribution({.top_p = 0.41}, logits_of(kFive)),
                      {{1, 0.4 / 0.65}, {3, 0.25 / 0.65}});
  expect_distribution(distribution({.top_p = 0.8}, logits_of(kFive)),
                      {{1, 0.4 / 0.85}, {3, 0.25 / 0.85}, {4, 0.2 / 0.85}});
  EXPECT_EQ(distribution({.top_p = 0.96}, logits_of(kFive)).size(), 5u);
}

TEST(Sampler, TopPKeepsAtLeastOne) {
  expect_distribution(distribution({.top_p = 1e-9}, logits_of(kFive)), {{1, 1.0}});
}

TEST(Sampler, TopPReachesBeyondWhatIsSortedAtFirst) {
  // 1,000 tokens of equal probability: 0.7 of the mass are 700 of them, the smallest ids first.
  const auto ours = distribution({.top_p = 0.6995}, std::vector<float>(1000, 3.0f));
  ASSERT_EQ(ours.size(), 700u);
  EXPECT_EQ(ours.rbegin()->first, 699);
  EXPECT_NEAR(ours.at(0), 1.0 / 700.0, kRounding);
}

TEST(Sampler, TemperatureComesBeforeTopKAndThatBeforeTopP) {
  // Squares of 0.5, 0.3, 0.2: 0.25, 0.09, 0.04. Top-k of 2: 0.735, 0.265 of their sum. Top-p of
  // 0.7 then keeps one; by the probabilities before temperature it would keep two.
  expect_distribution(
      distribution({.temperature = 0.5, .top_k = 2, .top_p = 0.7}, logits_of({0.5, 0.3, 0.2})),
      {{0, 1.0}});
  // Among all three 0.25 are 0.658 of the mass: without top-k, top-p of 0.7 keeps two.
  expect_distribution(distribution({.temperature = 0.5, .top_p = 0.7}, logits_of({0.5, 0.3, 0.2})),
                      {{0, 0.25 / 0.34}, {1, 0.09 / 0.34}});
}

TEST(Sampler, ThePenaltyDividesPositiveAndMultipliesNegativeLogitsOnce) {
  // Token 0 was there three times, token 1 once, token 2 never.
  const auto ours = distribution({.repetition_penalty = 2.0}, {2.0f, -1.0f, 0.5f}, {0, 0, 1, 0});
  const double sum = std::exp(1.0) + std::exp(-2.0) + std::exp(0.5);
  expect_distribution(
      ours, {{0, std::exp(1.0) / sum}, {1, std::exp(-2.0) / sum}, {2, std::exp(0.5) / sum}});
}

TEST(Sampler, ThePenaltyHoldsForGreedyChoiceToo) {
  expect_distribution(distribution({.greedy = true}, {2.0f, 1.5f}, {0}), {{0, 1.0}});
  expect_distribution(distribution({.greedy = true, .repetition_penalty = 1.5}, {2.0f, 1.5f}, {0}),
                      {{1, 1.0}});
}

TEST(Sampler, GreedyTakesTheFirstOfEquals) {
  expect_distribution(distribution({.greedy = true}, {1.0f, 7.0f, 7.0f}), {{1, 1.0}});
}

TEST(Sampler, TokensThatAreRuledOutAreNeverCandidatesWithWeight) {
  const float out = -std::numeric_limits<float>::infinity();
  const auto ours = distribution({}, {out, 0.0f, out});
  EXPECT_EQ(ours.at(1), 1.0);
  EXPECT_EQ(ours.at(0), 0.0);
}

std::string refusal(const std::vector<float>& logits, bool greedy) {
  try {
    distribution({.greedy = greedy}, logits);
  } catch (const UserError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Sampler, RefusesScoresThatAreNotNumbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const bool greedy : {false, true}) {
    EXPECT_EQ(
        refusal({0.0f, nan}, greedy),
        "the next token\n  found: scores of the model that are not numbers (NaN or infinite)\n"
        "  to do: the weights are damaged, or the adapter's training diverged: try the model "
        "without the adapter, or an earlier checkpoint");
    EXPECT_EQ(refusal({0.0f, infinity}, greedy), refusal({0.0f, nan}, greedy));
    EXPECT_EQ(refusal({-infinity, -infinity}, greedy),
              "the next token\n  found: a model that rules out every token\n"
              "  to do: the weights are damaged: take the model's files anew");
  }
}

TEST(Draw, FindsTheCandidateThatTheNumberFallsOn) {
  const std::vector<Candidate> candidates = {{7, 0.5}, {3, 0.25}, {9, 0.25}};
  EXPECT_EQ(draw(candidates, 0.0), 7);
  EXPECT_EQ(draw(candidates, 0.4999999), 7);
  EXPECT_EQ(draw(candidates, 0.5), 3);
  EXPECT_EQ(draw(candidates, 0.7499999), 3);
  EXPECT_EQ(draw(candidates, 0.75), 9);
  EXPECT_EQ(draw(candidates, 0.9999999), 9);
}

TEST(Draw, NeverFallsOnAnImpossibleCandidate) {
  EXPECT_EQ(draw(std::vector<Candidate>{{7, 0.0}, {3, 1.0 - 1e-16}, {9, 0.0}}, 0.0), 3);
  // The sum may be a rounding below 1.
  EXPECT_EQ(draw(std::vector<Candidate>{{3, 0.9}, {9, 0.0}}, 0.95), 3);
}

TEST(SamplingUniform, DependsOnSeedAndIndexAlone) {
  EXPECT_EQ(sampling_uniform(42, 0), sampling_uniform(42, 0));
  std::set<double> numbers;
  double sum = 0.0;
  for (std::uint64_t seed : {1u, 2u}) {
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const double u = sampling_uniform(seed, i);
      EXPECT_GE(u, 0.0);
      EXPECT_LT(u, 1.0);
      numbers.insert(u);
      sum += u;
    }
  }
  EXPECT_EQ(numbers.size(), 4000u);
  EXPECT_NEAR(sum / 4000.0, 0.5, 0.02);  // four standard deviations; the numbers never change
}

}  // namespace
}  // namespace hone::generate
