#include "data/jinja/chat_template.h"

#include <fmt/format.h>

#include "data/jinja/evaluator.h"
#include "data/jinja/parser.h"
#include "data/jinja/store.h"

namespace hone::data::jinja {

struct Program {
  Statements statements;
};

namespace {

std::tm local_time() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return local;
}

}  // namespace

ChatTemplate::ChatTemplate(std::string_view source, const Limits& limits) : limits_(limits) {
  if (source.size() > limits.template_bytes) {
    refuse(1, fmt::format("{} bytes, more than a chat template may have ({})", source.size(),
                          limits.template_bytes));
  }
  auto program = std::make_shared<Program>();
  program->statements = parse(source);
  program_ = std::move(program);
}

std::string ChatTemplate::render(const formats::Value& variables,
                                 std::optional<std::tm> now) const {
  Store store(limits_);
  Frame* const globals = store.frame(nullptr, 1);
  for (const formats::Member& variable : variables.object()) {
    globals->set(variable.key, store.from(variable.value));
  }
  const std::tm time = now ? *now : local_time();
  return Evaluator(store, globals, time).run(program_->statements);
}

}  // namespace hone::data::jinja
