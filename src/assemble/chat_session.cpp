#include "assemble/chat_session.h"

#include <fmt/format.h>

#include <utility>

#include "assemble/training_data.h"
#include "base/error.h"
#include "report/units.h"

namespace hone::assemble {
namespace {

bool is_greedy(const config::GenerationSettings& generation) {
  return !generation.do_sample || generation.temperature == 0.0;
}

generate::GenerationOptions generation_options(const config::Settings& settings,
                                               std::vector<data::TokenId> stop_ids,
                                               std::uint64_t seed) {
  const config::GenerationSettings& generation = settings.generation;
  generate::GenerationOptions options;
  options.sampling.greedy = is_greedy(generation);
  options.sampling.temperature = is_greedy(generation) ? 1.0 : generation.temperature;
  options.sampling.top_k = generation.top_k;
  options.sampling.top_p = generation.top_p;
  options.sampling.repetition_penalty = generation.repetition_penalty;
  options.max_new_tokens = generation.max_new_tokens;
  options.max_length = generation.max_length;
  options.stop_ids = std::move(stop_ids);
  options.seed = seed;
  return options;
}

}  // namespace

ChatSession::ChatSession(const config::ReadResult& read, std::uint64_t fresh_seed, LogSink& log)
    : read_(read),
      fresh_seed_(fresh_seed),
      model_(read.settings, open_model(read.settings), log),
      tokenizer_(model_.source().tokenizer()),
      template_(open_template(read.settings, tokenizer_, log)) {}

std::vector<std::string> ChatSession::summary() const {
  std::vector<std::string> lines = model_.summary();
  const config::GenerationSettings& generation = settings().generation;
  const std::string limit =
      generation.max_new_tokens > 0
          ? fmt::format("up to {} tokens", report::count_text(generation.max_new_tokens))
          : fmt::format("up to {} tokens with what was said before",
                        report::count_text(generation.max_length));
  const std::string penalty = generation.repetition_penalty == 1.0
                                  ? std::string()
                                  : fmt::format(", repetition_penalty {}",
                                                report::number_text(generation.repetition_penalty));
  lines.push_back(
      fmt::format("answers: template {}, {}{}, {}", template_.definition().name,
                  is_greedy(generation)
                      ? std::string("always the likeliest token")
                      : fmt::format("drawn with temperature {}, top_k {}, top_p {}, seed {}",
                                    report::number_text(generation.temperature), generation.top_k,
                                    report::number_text(generation.top_p), *seed()),
                  penalty, limit));
  return lines;
}

std::optional<std::uint64_t> ChatSession::seed() const {
  if (is_greedy(settings().generation)) return std::nullopt;
  return seed_is_fresh() ? fresh_seed_ : static_cast<std::uint64_t>(settings().training.seed);
}

void ChatSession::load() {
  model_.load();
  generator_ = std::make_unique<generate::Generator>(
      model_.session(),
      generation_options(settings(), template_.stop_ids(tokenizer_), seed().value_or(0)));
}

std::vector<data::TokenId> ChatSession::prompt() const {
  data::Conversation conversation;
  conversation.messages = history_;
  conversation.messages.push_back({data::Role::assistant, ""});
  return template_.encode_oneturn(tokenizer_, conversation).turns.front().prompt;
}

std::string ChatSession::cut_note(const generate::Generation& generation) const {
  switch (generation.reason) {
    case generate::FinishReason::stop:
      return {};
    case generate::FinishReason::length:
      return fmt::format(
          "the answer was cut after {} tokens ({})",
          report::count_text(static_cast<std::int64_t>(generation.tokens.size())),
          settings().generation.max_new_tokens > 0 ? "max_new_tokens" : "max_length");
    case generate::FinishReason::context:
      return fmt::format("the answer was cut, as the context of {} tokens is full",
                         report::count_text(model_.context_tokens()));
    case generate::FinishReason::interrupted:
      return "the answer was stopped";
  }
  return {};
}

Answer ChatSession::ask(const std::string& text,
                        const std::function<void(std::string_view)>& on_text,
                        const std::function<bool()>& stop_wished) {
  HONE_ASSERT(generator_ != nullptr);
  history_.push_back({data::Role::user, text});
  Answer answer;
  try {
    data::StreamDecoder decoder(tokenizer_, settings().generation.skip_special_tokens);
    const auto show = [&](const std::string& piece) {
      if (!piece.empty()) on_text(piece);
    };
    answer.generation = generator_->run(
        prompt(), [&](std::int32_t token) { show(decoder.push(token)); }, stop_wished);
    show(decoder.finish());
  } catch (...) {
    history_.pop_back();
    throw;
  }
  answer.text = tokenizer_.decode(answer.generation.tokens, true);
  answer.cut = cut_note(answer.generation);
  history_.push_back({data::Role::assistant, answer.text});
  return answer;
}

void ChatSession::clear() {
  history_.clear();
  generator_->clear();
}

}  // namespace hone::assemble
