// hone help [SETTING]
#include "config/help.h"

#include "cli/command.h"

namespace hone::cli {
namespace {

constexpr const char* kUsage =
    "usage:\n"
    "  PROGRAM train CONFIG.yaml [key=value ...]    fine-tune a model; with do_eval and without\n"
    "                                               do_train: measure it\n"
    "  PROGRAM plan CONFIG.yaml [key=value ...]     what a run will do, and whether it fits\n"
    "  PROGRAM data CONFIG.yaml [--show 3]          the records as the model will see them\n"
    "  PROGRAM chat [CONFIG.yaml] [key=value ...]   talk to a model, with or without an adapter;\n"
    "                                               --prompt \"TEXT\" asks one question\n"
    "  PROGRAM export [CONFIG.yaml] [key=value ...] merge adapters and write the whole model\n"
    "  PROGRAM doctor [--json] [--root DIR]         what on this machine is not in order, and "
    "what\n"
    "                                               to do (also: PROGRAM env)\n"
    "  PROGRAM doctor --explain TEXT                what an error means; a log file, or - for\n"
    "                                               standard input\n"
    "  PROGRAM doctor --run OUTPUT_DIR              whether the loss of a run falls\n"
    "  PROGRAM version\n"
    "  PROGRAM help [SETTING | settings]            this text, one setting, or all of them\n"
    "\n"
    "Settings are LLaMA-Factory's; --key value and --key=value are understood too. hone answers "
    "to\n"
    "the name llamafactory-cli as well.\n";

std::string usage(const std::string& program) {
  std::string text = kUsage;
  const std::string placeholder = "PROGRAM";
  for (std::size_t at = text.find(placeholder); at != std::string::npos;
       at = text.find(placeholder, at + program.size())) {
    text.replace(at, placeholder.size(), program);
  }
  return text;
}

}  // namespace

int run_help(const Invocation& invocation, Terminal& terminal) {
  if (invocation.words.empty()) {
    terminal.write(usage(invocation.program));
    return 0;
  }
  for (const std::string& word : invocation.words) {
    terminal.write(word == "settings" ? config::settings_overview() : config::setting_help(word));
  }
  return 0;
}

}  // namespace hone::cli
