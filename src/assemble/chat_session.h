// A conversation with a model: texts in, texts out, the history kept.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assemble/chat_model.h"
#include "config/reading/read_settings.h"
#include "data/templates/template.h"
#include "generate/generator.h"

namespace hone::assemble {

struct Answer {
  std::string text;  // without special tokens: what the history keeps
  // Why the answer is not whole, for people; empty when the model ended it.
  std::string cut;
  generate::Generation generation;
};

class ChatSession {
 public:
  // Opens and plans everything; no weight is read yet. `fresh_seed` is what answers are drawn with
  // where the settings name no seed. Notes and warnings go to `log`. Throws UserError. `read` must
  // outlive the session.
  ChatSession(const config::ReadResult& read, std::uint64_t fresh_seed, LogSink& log);

  // Model, memory, and how answers are chosen: for the start of a conversation.
  std::vector<std::string> summary() const;

  // What answers are drawn with: the same seed and questions give the same answers. Nothing where
  // the likeliest token is always taken.
  std::optional<std::uint64_t> seed() const;
  // Whether that seed is `fresh_seed`.
  bool seed_is_fresh() const { return read_.origins.count("seed") == 0; }

  // Takes the memory and loads the weights; once, before the first question.
  void load();

  // The answer to `text` after all that was said before. `on_text` gets the answer in pieces of
  // whole characters as they come, with special tokens if skip_special_tokens is false;
  // `stop_wished` is asked between tokens, and what was said until then stays in the history.
  // Throws UserError, leaving the history as it was, when `text` is no UTF-8 or does not fit into
  // the context together with the history.
  Answer ask(const std::string& text, const std::function<void(std::string_view)>& on_text,
             const std::function<bool()>& stop_wished);

  // Forgets what was said.
  void clear();

  const std::vector<data::Message>& history() const { return history_; }
  ChatModel& model() { return model_; }

 private:
  std::vector<data::TokenId> prompt() const;
  std::string cut_note(const generate::Generation& generation) const;
  const config::Settings& settings() const { return read_.settings; }

  const config::ReadResult& read_;
  std::uint64_t fresh_seed_;
  ChatModel model_;
  data::Tokenizer tokenizer_;
  data::Template template_;
  std::unique_ptr<generate::Generator> generator_;
  std::vector<data::Message> history_;
};

}  // namespace hone::assemble
