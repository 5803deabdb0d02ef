// hone chat: a conversation on the terminal, or one answer with --prompt.
#include <random>
#include <string>
#include <vector>

#include "assemble/chat_session.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/hub_access.h"
#include "cli/line_input.h"

namespace hone::cli {
namespace {

constexpr int kInterruptedStatus = 130;  // as a shell reports a process ended by SIGINT

// For one answer: standard output carries nothing else, warnings go to standard error.
class WarningsOnly final : public LogSink {
 public:
  explicit WarningsOnly(Terminal& terminal) : terminal_(terminal) {}
  void line(Severity severity, std::string_view text) override {
    if (severity == Severity::warning) terminal_.aside("warning: " + std::string(text));
  }

 private:
  Terminal& terminal_;
};

// 32 bits, as many as the setting takes.
std::uint64_t fresh_seed() {
  return std::random_device()();
}

// Takes `--prompt TEXT` or `--prompt=TEXT` out of the words, which are settings otherwise.
std::optional<std::string> take_prompt(std::vector<std::string>& words) {
  const std::string option = "--prompt";
  std::optional<std::string> prompt;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool alone = words[i] == option;
    if (!alone && words[i].rfind(option + "=", 0) != 0) {
      others.push_back(words[i]);
      continue;
    }
    if (prompt) throw UserError({option, "given twice", "ask one question, or pipe several in"});
    if (alone && i + 1 == words.size()) {
      throw UserError({option, "no text after it", "write --prompt \"your question\""});
    }
    prompt = alone ? words[++i] : words[i].substr(option.size() + 1);
  }
  words = std::move(others);
  return prompt;
}

int answer_once(const Invocation& invocation, const std::string& prompt, Terminal& terminal) {
  config::ReadResult read = config::read_settings(
      {config::Command::chat, invocation.words, invocation.home, invocation.allow_unknown});
  WarningsOnly log(terminal);
  for (const config::Notice& notice : read.notices) log.line(notice.severity, notice.text);
  // Without a bar: standard output carries the answer alone.
  assemble::fetch_from_hub(read.settings, hub_access(invocation.home), {.data = false}, log);
  assemble::ChatSession session(read, fresh_seed(), log);
  session.load();
  const LineInput input;
  const assemble::Answer answer = session.ask(
      prompt, [&](std::string_view text) { terminal.write(text); },
      [&] { return input.interrupted(); });
  terminal.write("\n");
  if (!answer.cut.empty()) terminal.aside("note: " + answer.cut);
  if (session.seed() && session.seed_is_fresh()) {
    const std::string word = "seed=" + std::to_string(*session.seed());
    terminal.aside("note: drawn with " + word + ", which gives this answer again");
  }
  return input.interrupted() ? kInterruptedStatus : 0;
}

void answer_line(assemble::ChatSession& session, const std::string& line, LineInput& input,
                 Terminal& terminal) {
  terminal.write("Assistant: ");
  try {
    const assemble::Answer answer = session.ask(
        line, [&](std::string_view text) { terminal.write(text); },
        [&] { return input.interrupted(); });
    terminal.write("\n");
    if (!answer.cut.empty()) terminal.info("(" + answer.cut + ")");
  } catch (const UserError& error) {
    terminal.write("\n");
    terminal.error(error.what());
  }
  input.forget_interrupt();
}

int converse(assemble::ChatSession& session, Terminal& terminal) {
  LineInput input;
  terminal.info("Ask, `clear` to begin anew, `exit` to leave; Ctrl-C stops an answer.");
  while (true) {
    terminal.write("\nUser: ");
    const std::optional<std::string> line = input.next();
    if (!line) break;
    // What was typed stands there already; what was piped in does not.
    if (!input.interactive()) terminal.info(*line);
    if (line->find_first_not_of(" \t") == std::string::npos) continue;
    if (*line == "exit") return 0;
    if (*line == "clear") {
      session.clear();
      terminal.info("History has been removed.");
      continue;
    }
    answer_line(session, *line, input, terminal);
  }
  terminal.write("\n");
  return 0;
}

}  // namespace

int run_chat(const Invocation& invocation, Terminal& terminal) {
  Invocation settings = invocation;
  if (const std::optional<std::string> prompt = take_prompt(settings.words)) {
    return answer_once(settings, *prompt, terminal);
  }
  config::ReadResult read = read_configuration(config::Command::chat, settings, terminal);
  fetch_from_hub(read, settings, {.data = false}, terminal);
  assemble::ChatSession session(read, fresh_seed(), terminal);
  for (const std::string& line : session.summary()) terminal.info(line);
  session.load();
  return converse(session, terminal);
}

}  // namespace hone::cli
