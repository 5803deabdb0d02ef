#include "generate/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"

namespace hone::generate {
namespace {

// While they are being chosen from, candidates carry their score in the place of a probability.
bool likelier(const Candidate& a, const Candidate& b) {
  return a.probability != b.probability ? a.probability > b.probability : a.token < b.token;
}

void refuse_broken(std::span<const float> scores) {
  bool any = false;
  for (const float score : scores) {
    if (std::isnan(score) || score == std::numeric_limits<float>::infinity()) {
      throw UserError({"the next token",
                       "scores of the model that are not numbers (NaN or infinite)",
                       "the weights are damaged, or the adapter's training diverged: try the model "
                       "without the adapter, or an earlier checkpoint"});
    }
    any = any || score != -std::numeric_limits<float>::infinity();
  }
  if (any) return;
  throw UserError({"the next token", "a model that rules out every token",
                   "the weights are damaged: take the model's files anew"});
}

}  // namespace

Sampler::Sampler(const SamplingOptions& options, std::int64_t vocabulary)
    : options_(options),
      scores_(static_cast<std::size_t>(vocabulary)),
      penalized_(static_cast<std::size_t>(vocabulary)) {
  HONE_ASSERT(options.greedy || options.temperature > 0.0, options.temperature);
  HONE_ASSERT(options.top_p > 0.0 && options.top_p <= 1.0, options.top_p);
  HONE_ASSERT(options.top_k >= 0, options.top_k);
  HONE_ASSERT(options.repetition_penalty > 0.0, options.repetition_penalty);
  candidates_.reserve(static_cast<std::size_t>(vocabulary));
}

std::span<const Candidate> Sampler::candidates(std::span<const float> logits,
                                               std::span<const std::int32_t> before) {
  HONE_ASSERT(logits.size() == scores_.size(), logits.size(), scores_.size());
  refuse_broken(logits);
  std::copy(logits.begin(), logits.end(), scores_.begin());
  if (options_.repetition_penalty != 1.0) penalize(before);
  candidates_.clear();
  if (options_.greedy) {
    const auto likeliest = std::max_element(scores_.begin(), scores_.end());
    candidates_.push_back({static_cast<std::int32_t>(likeliest - scores_.begin()), 1.0});
    return candidates_;
  }
  for (std::size_t token = 0; token < scores_.size(); ++token) {
    candidates_.push_back({static_cast<std::int32_t>(token),
                           static_cast<double>(scores_[token]) / options_.temperature});
  }
  keep_top_k();
  keep_top_p();
  return candidates_;
}

void Sampler::penalize(std::span<const std::int32_t> before) {
  std::fill(penalized_.begin(), penalized_.end(), std::uint8_t{0});
  const auto penalty = static_cast<float>(options_.repetition_penalty);
  for (const std::int32_t id : before) {
    const auto token = static_cast<std::size_t>(id);
    if (penalized_.at(token) != 0) continue;
    penalized_[token] = 1;
    scores_[token] = scores_[token] < 0.0f ? scores_[token] * penalty : scores_[token] / penalty;
  }
}

void Sampler::keep_top_k() {
  const auto k = static_cast<std::size_t>(options_.top_k);
  if (k == 0 || k >= candidates_.size()) return;
  const auto last = candidates_.begin() + static_cast<std::ptrdiff_t>(k) - 1;
  std::nth_element(candidates_.begin(), last, candidates_.end(), likelier);
  const double threshold = last->probability;
  candidates_.erase(std::remove_if(candidates_.begin(), candidates_.end(),
                                   [&](const Candidate& c) { return c.probability < threshold; }),
                    candidates_.end());
}

// Sorts only as far as the kept candidates reach: of a large vocabulary a handful usually is kept.
void Sampler::keep_top_p() {
  const double largest =
      std::max_element(candidates_.begin(), candidates_.end(), [](const auto& a, const auto& b) {
        return a.probability < b.probability;
      })->probability;
  double sum = 0.0;
  for (const Candidate& c : candidates_) sum += std::exp(c.probability - largest);
  std::size_t sorted = 0;
  std::size_t kept = 0;
  double mass = 0.0;  // of the kept ones, as a share of `sum`
  while (kept < candidates_.size() &&
         (kept == 0 || options_.top_p == 1.0 || mass < options_.top_p)) {
    if (kept == sorted) {
      constexpr std::size_t kFirstSorted = 64;
      const std::size_t next =
          options_.top_p == 1.0 ? candidates_.size()
                                : std::min(candidates_.size(), std::max(kFirstSorted, 4 * sorted));
      const auto begin = candidates_.begin();
      std::partial_sort(begin + static_cast<std::ptrdiff_t>(sorted),
                        begin + static_cast<std::ptrdiff_t>(next), candidates_.end(), likelier);
      sorted = next;
    }
    mass += std::exp(candidates_[kept].probability - largest) / sum;
    ++kept;
  }
  candidates_.resize(kept);
  for (Candidate& c : candidates_) c.probability = std::exp(c.probability - largest) / sum / mass;
}

std::int32_t draw(std::span<const Candidate> candidates, double uniform) {
  HONE_ASSERT(!candidates.empty());
  double end = 0.0;
  std::int32_t last = candidates.front().token;
  for (const Candidate& candidate : candidates) {
    if (candidate.probability <= 0.0) continue;
    end += candidate.probability;
    last = candidate.token;
    if (uniform < end) return last;
  }
  return last;  // the probabilities' sum is a rounding below 1
}

double sampling_uniform(std::uint64_t seed, std::uint64_t index) {
  const std::array<std::uint32_t, 4> bits =
      CounterRandom(seed, RandomStream::sampling).bits(index, 0);
  const double high = static_cast<double>(bits[0] >> 5);
  const double low = static_cast<double>(bits[1] >> 6);
  return (high * 67108864.0 + low) / 9007199254740992.0;  // 2^26, 2^53
}

}  // namespace hone::generate
