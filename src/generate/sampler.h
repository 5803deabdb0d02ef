// From the logits of a position to the token that comes next.
//
// In this order, as transformers does it: the repetition penalty (also when greedy), then for
// sampling temperature, top-k, top-p. Sources: transformers, generation/logits_process.py; Keskar
// et al., "CTRL", 2019 (penalty); Holtzman et al., "The Curious Case of Neural Text Degeneration",
// 2020 (top-p).
//
//   penalty      the logit of every token that was there before, prompt included, once each:
//                divided by the penalty when it is positive, multiplied when it is not
//   temperature  logits / temperature
//   top_k        the k likeliest stay, and whatever is as likely as the last of them
//   top_p        the likeliest stay until together they have at least this probability
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hone::generate {

struct SamplingOptions {
  bool greedy = false;              // the likeliest token; of equals the one with the smallest id
  double temperature = 1.0;         // above 0
  std::int64_t top_k = 0;           // 0: no limit
  double top_p = 1.0;               // in (0, 1]; 1: no limit
  double repetition_penalty = 1.0;  // above 0; 1: none
};

struct Candidate {
  std::int32_t token = 0;
  double probability = 0.0;
};

class Sampler {
 public:
  Sampler(const SamplingOptions& options, std::int64_t vocabulary);

  // The tokens that may come next, the likeliest first (of equals the smallest id), with
  // probabilities that add up to 1. Greedy: the one token. `logits` is [V]; `before` are the ids
  // that were there before. Valid until the next call. Throws UserError when logits are not
  // numbers, or when all of them are minus infinity.
  std::span<const Candidate> candidates(std::span<const float> logits,
                                        std::span<const std::int32_t> before);

 private:
  void penalize(std::span<const std::int32_t> before);
  void keep_top_k();
  void keep_top_p();

  SamplingOptions options_;
  std::vector<float> scores_;            // [V]
  std::vector<std::uint8_t> penalized_;  // [V]
  std::vector<Candidate> candidates_;
};

// The candidate that a number in [0, 1) falls on: candidates follow one another on the line from 0
// to 1, each as long as its probability.
std::int32_t draw(std::span<const Candidate> candidates, double uniform);

// A number in [0, 1), 53 bits of it: the `index`th draw of a conversation.
double sampling_uniform(std::uint64_t seed, std::uint64_t index);

}  // namespace hone::generate
