// A model's own chat template: Jinja, as transformers runs it
// (apply_chat_template): blocks trimmed, sandboxed, with raise_exception,
// strftime_now and tojson. What of Jinja is there: docs/decisions.
#pragma once

#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/jinja/limits.h"
#include "formats/value.h"

namespace hone::data::jinja {

struct Program;

class ChatTemplate {
 public:
  // UserError, naming the line and what is not there, for text outside of the
  // subset.
  explicit ChatTemplate(std::string_view source, const Limits& limits = {});

  // The text for these variables: `messages`, `add_generation_prompt`,
  // `bos_token`, `tools`, ... An object. `now` is what strftime_now says; the
  // clock's local time without it. UserError when the template refuses the
  // conversation, does what is not there, or costs too much.
  std::string render(const formats::Value& variables, std::optional<std::tm> now = {}) const;

 private:
  std::shared_ptr<const Program> program_;
  Limits limits_;
};

}  // namespace hone::data::jinja
