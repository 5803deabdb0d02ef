#include "generate/generator.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "base/error.h"

namespace hone::generate {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Generator::Generator(DecoderSession& session, const GenerationOptions& options)
    : session_(session), options_(options), sampler_(options.sampling, session.vocabulary()) {
  HONE_ASSERT(options.max_new_tokens > 0 || options.max_length > 0, options.max_new_tokens,
              options.max_length);
  HONE_ASSERT(std::is_sorted(options.stop_ids.begin(), options.stop_ids.end()));
  const auto capacity = static_cast<std::size_t>(session.cache().capacity());
  context_.reserve(capacity + 1);
  cached_.reserve(capacity);
}

void Generator::clear() {
  draws_ = 0;
  cached_.clear();
  session_.cache().truncate(0);
}

void Generator::check_prompt(std::span<const std::int32_t> prompt) const {
  const auto length = static_cast<std::int64_t>(prompt.size());
  const std::string asked = "a prompt of " + std::to_string(length) + " tokens";
  if (prompt.empty()) throw UserError({asked, "nothing to go on from", "write something"});
  const std::int64_t capacity = session_.cache().capacity();
  if (length > capacity) {
    throw UserError({asked, "a context of " + std::to_string(capacity) + " tokens",
                     "ask with less text, or begin a new conversation"});
  }
  if (options_.max_new_tokens <= 0 && length >= options_.max_length) {
    throw UserError(
        {asked,
         "max_length: " + std::to_string(options_.max_length) + ", which counts the prompt too",
         "set max_new_tokens, or a larger max_length"});
  }
  for (const std::int32_t id : prompt) {
    if (id >= 0 && id < session_.vocabulary()) continue;
    throw UserError({"token " + std::to_string(id) + " of the prompt",
                     "a model with " + std::to_string(session_.vocabulary()) + " tokens",
                     "use a template whose tokens the model has, or the model's own tokenizer"});
  }
}

std::int64_t Generator::most_new_tokens(std::int64_t prompt_tokens) const {
  return options_.max_new_tokens > 0 ? options_.max_new_tokens
                                     : options_.max_length - prompt_tokens;
}

std::int64_t Generator::reuse(std::span<const std::int32_t> prompt) {
  const auto alike = std::mismatch(cached_.begin(), cached_.end(), prompt.begin(), prompt.end());
  // The last token is read again in any case: its logits are wanted.
  const auto rows =
      std::min(static_cast<std::size_t>(alike.first - cached_.begin()), prompt.size() - 1);
  cached_.resize(rows);
  session_.cache().truncate(static_cast<std::int64_t>(rows));
  return static_cast<std::int64_t>(rows);
}

void Generator::read(std::span<const std::int32_t> tokens) {
  session_.read(tokens);
  cached_.insert(cached_.end(), tokens.begin(), tokens.end());
}

std::int32_t Generator::next_token() {
  const std::span<const Candidate> candidates = sampler_.candidates(session_.logits(), context_);
  if (options_.sampling.greedy) return candidates.front().token;
  return draw(candidates, sampling_uniform(options_.seed, draws_++));
}

Generation Generator::run(std::span<const std::int32_t> prompt,
                          const std::function<void(std::int32_t)>& on_token,
                          const std::function<bool()>& stop_wished) {
  check_prompt(prompt);
  Generation result;
  result.prompt_tokens = static_cast<std::int64_t>(prompt.size());
  result.reused_tokens = reuse(prompt);
  result.reason = FinishReason::interrupted;
  context_.assign(prompt.begin(), prompt.end());
  const Clock::time_point start = Clock::now();
  const auto chunk = static_cast<std::size_t>(session_.chunk_tokens());
  for (auto at = static_cast<std::size_t>(result.reused_tokens); at < prompt.size();) {
    if (stop_wished()) return result;
    const std::size_t count = std::min(chunk, prompt.size() - at);
    read(prompt.subspan(at, count));
    at += count;
  }
  std::int32_t token = next_token();
  result.prompt_seconds = seconds_since(start);
  const Clock::time_point answer_start = Clock::now();
  const std::int64_t most = most_new_tokens(result.prompt_tokens);
  while (!stop_wished()) {
    result.tokens.push_back(token);
    context_.push_back(token);
    on_token(token);
    const bool stops =
        std::binary_search(options_.stop_ids.begin(), options_.stop_ids.end(), token);
    const bool full = session_.cache().length() == session_.cache().capacity();
    if (stops || full || static_cast<std::int64_t>(result.tokens.size()) == most) {
      result.reason = stops  ? FinishReason::stop
                      : full ? FinishReason::context
                             : FinishReason::length;
      break;
    }
    read(std::span<const std::int32_t>(&context_.back(), 1));
    token = next_token();
  }
  result.answer_seconds = seconds_since(answer_start);
  return result;
}

}  // namespace hone::generate
