// hone data: the records of a configuration as the model will see them.
#include <optional>
#include <string>
#include <vector>

#include "assemble/data_preview.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/data_cache.h"
#include "cli/hub_access.h"

namespace hone::cli {
namespace {

constexpr std::int64_t kShownRecords = 3;

std::int64_t parse_count(const std::string& text) {
  std::size_t read = 0;
  std::int64_t count = -1;
  try {
    count = std::stoll(text, &read);
  } catch (const std::exception&) {
    // Said below.
  }
  if (count >= 0 && read == text.size()) return count;
  throw UserError({"--show " + text, "not a number of records", "write for instance --show 3"});
}

// Takes `--show N` or `--show=N` out of the words, which are settings otherwise.
std::int64_t take_count(std::vector<std::string>& words) {
  const std::string option = "--show";
  std::int64_t count = kShownRecords;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == option) {
      count = parse_count(++i < words.size() ? words[i] : "");
    } else if (words[i].rfind(option + "=", 0) == 0) {
      count = parse_count(words[i].substr(option.size() + 1));
    } else {
      others.push_back(words[i]);
    }
  }
  words = std::move(others);
  return count;
}

}  // namespace

int run_data(const Invocation& invocation, Terminal& terminal) {
  Invocation settings = invocation;
  const std::int64_t count = take_count(settings.words);
  config::ReadResult read = read_configuration(config::Command::plan, settings, terminal);
  fetch_from_hub(read, invocation, {.weights = false}, terminal);
  for (const std::string& line :
       assemble::preview_data(read.settings, count, data_cache_folder(invocation.home), terminal)) {
    terminal.info(line);
  }
  return 0;
}

}  // namespace hone::cli
