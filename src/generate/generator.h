// From the ids of a prompt to the ids of an answer, one by one.
//
// What the cache holds of an earlier conversation is used as far as the new prompt begins alike:
// a longer history costs its new tokens only.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "generate/decoder_session.h"
#include "generate/sampler.h"

namespace hone::generate {

struct GenerationOptions {
  SamplingOptions sampling;
  // Above 0: as many new tokens at most, and max_length is not looked at. Otherwise prompt and
  // answer have max_length tokens together at most.
  std::int64_t max_new_tokens = 0;
  std::int64_t max_length = 0;
  std::vector<std::int32_t> stop_ids;  // ascending
  std::uint64_t seed = 0;
};

enum class FinishReason {
  stop,         // a stop id came
  length,       // as many tokens as were allowed
  context,      // no room for more in the cache
  interrupted,  // the caller wished so
};

struct Generation {
  std::vector<std::int32_t> tokens;  // the stop id included
  FinishReason reason = FinishReason::length;
  std::int64_t prompt_tokens = 0;
  std::int64_t reused_tokens = 0;  // of the prompt, found in the cache
  double prompt_seconds = 0.0;     // until the logits of the first new token
  double answer_seconds = 0.0;     // of all that followed
};

class Generator {
 public:
  // `session` must outlive the generator, and is read through it alone.
  Generator(DecoderSession& session, const GenerationOptions& options);

  // `on_token` is called with every new token as it comes (the stop id too); `stop_wished` is asked
  // before every token and every chunk of the prompt. Throws UserError for a prompt that is empty
  // (nothing to go on from), that fills the context or max_length, or that has ids which the model
  // does not have; see also Sampler. After an exception the generator can be used again.
  Generation run(std::span<const std::int32_t> prompt,
                 const std::function<void(std::int32_t)>& on_token,
                 const std::function<bool()>& stop_wished);

  // Forgets the conversation. Later answers are drawn as in a new generator.
  void clear();

 private:
  void check_prompt(std::span<const std::int32_t> prompt) const;
  std::int64_t most_new_tokens(std::int64_t prompt_tokens) const;
  // Cuts the cache to what it shares with the prompt; returns the rows that stay.
  std::int64_t reuse(std::span<const std::int32_t> prompt);
  void read(std::span<const std::int32_t> tokens);
  std::int32_t next_token();

  DecoderSession& session_;
  GenerationOptions options_;
  Sampler sampler_;
  std::uint64_t draws_ = 0;
  std::vector<std::int32_t> context_;  // prompt and answer so far
  std::vector<std::int32_t> cached_;   // ids of the cache's rows
};

}  // namespace hone::generate
