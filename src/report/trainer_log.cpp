#include "report/trainer_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.h"
#include "formats/json.h"
#include "formats/json_writer.h"
#include "formats/whole_file.h"
#include "report/metric_json.h"
#include "report/results.h"
#include "report/units.h"

namespace hone::report {

namespace {

// Keys of the file, and of the log entry that they come from.
constexpr std::pair<const char*, const char*> kKeys[] = {
    {"loss", "loss"},     {"eval_loss", "eval_loss"},         {"predict_loss", "predict_loss"},
    {"reward", "reward"}, {"accuracy", "rewards/accuracies"}, {"lr", "learning_rate"}};

// A line takes about 250 bytes, so this is some ten million of them.
constexpr std::size_t kLargestFile = std::size_t{4} << 30;

double percentage(std::int64_t current, std::int64_t total) {
  if (total == 0) return 100;
  return rounded(static_cast<double>(current) / static_cast<double>(total) * 100, 2);
}

struct OldLine {
  std::int64_t step = -1;   // -1: no line of this kind
  bool is_summary = false;  // of a run that came to its end
};

std::optional<std::int64_t> whole(const formats::Value& line, const char* key) {
  const formats::Value* value = line.find(key);
  if (value == nullptr || value->kind() != formats::Value::Kind::integer) return std::nullopt;
  return value->integer();
}

OldLine read_old_line(std::string_view text) {
  OldLine line;
  try {
    const formats::Value value = formats::parse_json(text, "trainer_log.jsonl");
    line.step = whole(value, "current_steps").value_or(-1);
    line.is_summary = line.step >= 0 && whole(value, "total_steps") == line.step &&
                      std::none_of(std::begin(kKeys), std::end(kKeys), [&](const auto& key) {
                        return value.find(key.first) != nullptr;
                      });
  } catch (const UserError&) {
    // Someone else's line; it stays as it is.
  }
  return line;
}

}  // namespace

std::string trainer_log_line(const Logged& logged, const LogLineContext& context) {
  const LogEntry& entry = logged.entry;
  formats::Value line = formats::Object();
  line.set("current_steps", entry.step);
  line.set("total_steps", logged.total_steps);
  for (const auto& [key, source] : kKeys) {
    const Measured value = find_measured(entry.metrics, source);
    if (is_number(value)) line.set(key, to_json(value));
  }
  const double elapsed = std::max(0.0, logged.elapsed_seconds);
  const auto steps_here = static_cast<double>(entry.step - context.first_step);
  const auto steps_left = static_cast<double>(logged.total_steps - entry.step);
  line.set("epoch", entry.epoch);
  line.set("percentage", percentage(entry.step, logged.total_steps));
  line.set("elapsed_time", clock_text(elapsed));
  line.set("remaining_time", clock_text(steps_here > 0 ? steps_left * elapsed / steps_here : 0));
  if (context.with_tokens && logged.tokens_seen > 0) {
    const auto tokens_here = static_cast<double>(logged.tokens_seen - context.first_tokens);
    if (elapsed > 0) line.set("throughput", rounded(tokens_here / elapsed, 2));
    line.set("total_tokens", logged.tokens_seen);
  }
  return formats::dump_python(line) + "\n";
}

std::size_t kept_log_bytes(const std::string& text, std::int64_t keep_to_step) {
  const std::size_t whole = text.rfind('\n') + 1;  // npos + 1 is 0
  if (keep_to_step < 0) return whole;
  std::size_t kept = 0;
  bool cutting = false;
  std::int64_t last_step = std::numeric_limits<std::int64_t>::min();
  std::size_t cut_at = whole;
  while (kept < whole) {
    const std::size_t end = text.find('\n', kept) + 1;
    const OldLine line = read_old_line(std::string_view(text).substr(kept, end - kept));
    if (line.step >= 0) {
      if (line.step < last_step) cutting = false;  // another run begins
      if (!cutting &&
          (line.step > keep_to_step || (line.step == keep_to_step && line.is_summary))) {
        cutting = true;
        cut_at = kept;
      }
      last_step = line.step;
    }
    kept = end;
  }
  return cutting ? cut_at : whole;
}

TrainerLog::TrainerLog(std::string path, Start start, bool with_tokens, LogSink& log)
    : path_(std::move(path)), start_(start), log_(log) {
  context_.with_tokens = with_tokens;
}

TrainerLog::~TrainerLog() {
  close();
}

void TrainerLog::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  is_new_ = false;
}

void TrainerLog::give_up(int error_number) {
  log_.warning(fmt::format("{}: cannot be written ({}). The run goes on without it.", path_,
                           std::strerror(error_number)));
  close();
}

void TrainerLog::open(bool make) {
  const int flags = (start_ == Start::anew ? O_TRUNC : 0) | (make ? O_CREAT : 0);
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | flags, 0666);
  if (descriptor_ < 0) {
    is_new_ = !make && errno == ENOENT;
    if (!is_new_) give_up(errno);
    return;
  }
  if (start_ == Start::anew) return;
  try {
    const std::string text = formats::read_whole_file(path_, kLargestFile);
    const std::int64_t keep_to_step = start_ == Start::resume ? context_.first_step : -1;
    const std::size_t kept = kept_log_bytes(text, keep_to_step);
    if (kept < text.size() && ::ftruncate(descriptor_, static_cast<off_t>(kept)) != 0) {
      give_up(errno);
    }
  } catch (const UserError& error) {
    log_.warning(fmt::format("{}: what is in it could not be read ({}); new lines follow it.",
                             path_, error.faults().front().found));
  }
}

void TrainerLog::write(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(descriptor_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      give_up(count < 0 ? errno : ENOSPC);
      return;
    }
    done += static_cast<std::size_t>(count);
  }
}

void TrainerLog::run_started(const RunStarted& event) {
  context_.first_step = event.first_step;
  context_.first_tokens = event.tokens_seen;
  close();
  open(false);
}

void TrainerLog::logged(const Logged& event) {
  if (is_new_) {
    is_new_ = false;
    open(true);
  }
  if (descriptor_ >= 0) write(trainer_log_line(event, context_));
}

void TrainerLog::run_finished(const RunFinished&) {
  close();
}

}  // namespace hone::report
