// hone doctor: what keeps this machine from training well, and what errors mean.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "cli/command.h"
#include "doctor/examination.h"
#include "doctor/explain.h"
#include "doctor/loss_rule.h"
#include "formats/whole_file.h"

extern char** environ;

namespace hone::cli {
namespace {

constexpr int kNotInOrder = 3;  // as exit_status for warnings
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

struct Options {
  std::string root = "/";
  std::string text;
  std::string run;
  bool json = false;
  bool explains = false;
};

Options parse(const std::vector<std::string>& words) {
  Options options;
  CLI::App app;
  app.set_help_flag();
  app.add_option("--root", options.root);
  app.add_flag("--json", options.json);
  const CLI::Option* text = app.add_option("--explain", options.text);
  app.add_option("--run", options.run);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    throw UserError(
        Fault{"doctor", error.what(),
              "give --root DIR, --json, --explain TEXT (or a file, or -), or --run DIR"});
  }
  options.explains = text->count() > 0;
  return options;
}

std::string standard_input() {
  std::string bytes;
  std::array<char, 65536> block;
  for (;;) {
    const ssize_t count = read(STDIN_FILENO, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(block.data(), static_cast<std::size_t>(count));
    if (bytes.size() > kMostBytes) {
      throw UserError(Fault{"doctor --explain -", "more than 256 MiB of text",
                            "give the last part of it: tail -n 100000 LOG"});
    }
  }
}

// A file where there is one; a name that can only be a file's is not taken for an error's text.
std::string text_to_explain(const std::string& words) {
  if (words == "-") return standard_input();
  std::error_code error;
  if (std::filesystem::is_regular_file(words, error)) {
    return formats::read_whole_file(words, kMostBytes);
  }
  const bool names_file =
      words.find_first_of(" \t\n") == std::string::npos &&
      (words.find('/') != std::string::npos || std::filesystem::path(words).extension() == ".log");
  if (names_file) {
    throw UserError(Fault{"doctor --explain: '" + words + "'", "no such file",
                          "give a file, the error's text in quotes, or - for standard input"});
  }
  return words;
}

int explain_text(const Options& options, Terminal& terminal) {
  const std::vector<doctor::Explanation> found = doctor::explain(text_to_explain(options.text));
  terminal.write(options.json ? doctor::explanation_json(found) : doctor::explanation_text(found));
  return found.empty() ? kNotInOrder : 0;
}

int judge_run(const Options& options, Terminal& terminal) {
  std::filesystem::path log = options.run;
  if (std::filesystem::is_directory(log)) log /= "trainer_log.jsonl";
  const doctor::LossVerdict verdict = doctor::judge_losses(doctor::read_losses(log));
  terminal.info(verdict.found);
  if (verdict.alarming()) terminal.info("  to do: " + verdict.remedy);
  return verdict.alarming() ? kNotInOrder : 0;
}

// Of this process, or of a copy of another machine what its proc/self/environ holds.
std::vector<std::string> variables_of(const std::filesystem::path& root) {
  std::vector<std::string> variables;
  if (root == "/") {
    for (char** variable = environ; *variable != nullptr; ++variable) {
      variables.emplace_back(*variable);
    }
    return variables;
  }
  const std::filesystem::path file = root / "proc/self/environ";
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return variables;
  std::string variable;
  for (const char letter : formats::read_whole_file(file, kMostBytes)) {
    if (letter != '\0' && letter != '\n') {
      variable += letter;
      continue;
    }
    variables.push_back(std::move(variable));
    variable.clear();
  }
  if (!variable.empty()) variables.push_back(std::move(variable));
  return variables;
}

// Beside the program, or where it is installed.
bool has_gpu_module() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const char* place : {"libhone_gpu.so", "../lib/libhone_gpu.so"}) {
    if (std::filesystem::exists(program.parent_path() / place, error)) return true;
  }
  return false;
}

int examine_machine(const Options& options, Terminal& terminal) {
  const std::filesystem::path root = std::filesystem::absolute(options.root).lexically_normal();
  if (!std::filesystem::is_directory(root)) {
    throw UserError(Fault{"doctor --root: '" + options.root + "'", "no such folder",
                          "give the folder that holds the machine's proc and sys"});
  }
  const doctor::Machine machine(root, variables_of(root));
  const doctor::Examination examination = doctor::examine(machine, has_gpu_module());
  terminal.write(options.json ? doctor::examination_json(examination)
                              : doctor::examination_text(examination, terminal.interactive()));
  return doctor::exit_status(examination);
}

}  // namespace

int run_doctor(const Invocation& invocation, Terminal& terminal) {
  const Options options = parse(invocation.words);
  if (options.explains) return explain_text(options, terminal);
  if (!options.run.empty()) return judge_run(options, terminal);
  return examine_machine(options, terminal);
}

int run_env(const Invocation& invocation, Terminal& terminal) {
  const bool json = std::find(invocation.words.begin(), invocation.words.end(), "--json") !=
                    invocation.words.end();
  if (!json) run_version(invocation, terminal);
  return run_doctor(invocation, terminal);
}

}  // namespace hone::cli
