#include "report/tensorboard_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "base/error.h"
#include "formats/checksum.h"
#include "formats/whole_file.h"
#include "report/event_record.h"

namespace hone::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFilePrefix = "events.out.tfevents.";
// A log entry of every step of a million-step run is less.
constexpr std::size_t kLargestFile = std::size_t{2} << 30;

// In every summary of a finished run, and in no other entry.
constexpr const char* kSummaryTag = "train/train_runtime";

std::string host() {
  std::array<char, 256> name = {};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "host";
  return name.data();
}

// "Dec01_13-22-11_host", as transformers names it.
std::string start_name(double wall_seconds) {
  const auto seconds = static_cast<std::time_t>(wall_seconds);
  std::tm parts = {};
  localtime_r(&seconds, &parts);
  constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return fmt::format("{}{:02}_{:02}-{:02}-{:02}_{}",
                     kMonths.at(static_cast<std::size_t>(parts.tm_mon)), parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec, host());
}

bool starts_with(const std::string& text, std::string_view begin) {
  return text.compare(0, begin.size(), begin) == 0;
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::vector<fs::path> event_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (starts_with(entry->path().filename().string(), kFilePrefix)) files.push_back(entry->path());
  }
  return files;
}

// How many bytes of an event file lie before what a run resumed after `first_step` writes again.
std::size_t kept_event_bytes(std::string_view bytes, std::int64_t first_step) {
  std::size_t kept = 0;
  for (const FoundEvent& event : read_events(bytes)) {
    const bool summary = event.message.find(kSummaryTag) != std::string_view::npos;
    if (event.step > first_step || (event.step == first_step && summary)) break;
    kept = event.offset + event.size;
  }
  return kept;
}

}  // namespace

std::string tensorboard_tag(const std::string& key) {
  constexpr std::string_view kEvaluation = "eval_";
  if (starts_with(key, kEvaluation)) return "eval/" + key.substr(kEvaluation.size());
  return "train/" + key;
}

TensorBoardLog::TensorBoardLog(TensorBoardOptions options, LogSink& log)
    : options_(std::move(options)), log_(log) {}

TensorBoardLog::~TensorBoardLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

double TensorBoardLog::now() const {
  if (options_.wall_seconds) return options_.wall_seconds();
  timespec time = {};
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::string TensorBoardLog::mark() const {
  formats::Checksum checksum;
  checksum.add(options_.output_dir);
  return ".hone-" + checksum.text();
}

void TensorBoardLog::give_up(const std::string& file, const std::string& why) {
  log_.warning(
      fmt::format("{}: cannot be written ({}). The run goes on without its figures for "
                  "TensorBoard.",
                  file, why));
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  failed_ = true;
}

// The newest of the folders in runs/, by the time in its files' names; empty when there is none.
std::string TensorBoardLog::folder_to_resume() const {
  std::string newest;
  std::string folder;
  std::error_code error;
  for (fs::directory_iterator entry(fs::path(options_.output_dir) / "runs", error), end;
       !error && entry != end; entry.increment(error)) {
    for (const fs::path& file : event_files(entry->path())) {
      const std::string name = file.filename().string();
      if (name <= newest) continue;
      newest = name;
      folder = entry->path().string();
    }
  }
  return folder;
}

void TensorBoardLog::cut_older(std::int64_t first_step) {
  for (const fs::path& file : event_files(folder_)) {
    if (!ends_with(file.filename().string(), mark())) continue;
    try {
      const std::string bytes = formats::read_whole_file(file, kLargestFile);
      const std::size_t kept = kept_event_bytes(bytes, first_step);
      if (kept == bytes.size()) continue;
      if (::truncate(file.c_str(), static_cast<off_t>(kept)) != 0) {
        log_.warning(fmt::format("{}: steps that are done again could not be cut off ({})",
                                 file.string(), std::strerror(errno)));
      }
    } catch (const UserError& error) {
      log_.warning(fmt::format("{}: could not be read ({}); steps that are done again stay in it",
                               file.string(), error.faults().front().found));
    }
  }
}

void TensorBoardLog::open() {
  const double time = now();
  if (folder_.empty()) folder_ = options_.logging_dir;
  if (folder_.empty()) {
    folder_ = (fs::path(options_.output_dir) / "runs" / start_name(time)).string();
  }
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return give_up(folder_, error.message());
  path_ = fmt::format("{}/{}{:010}.{}.{}{}", folder_, kFilePrefix, static_cast<std::int64_t>(time),
                      host(), ::getpid(), mark());
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) return give_up(path_, std::strerror(errno));
  write(version_event(time));
}

void TensorBoardLog::write(const std::string& message) {
  if (descriptor_ < 0) return;
  const std::string record = event_record(message);
  std::size_t done = 0;
  while (done < record.size()) {
    const ssize_t count = ::write(descriptor_, record.data() + done, record.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return give_up(path_, std::strerror(count < 0 ? errno : ENOSPC));
    done += static_cast<std::size_t>(count);
  }
}

void TensorBoardLog::run_started(const RunStarted& event) {
  const bool resumes = options_.resume && event.first_step > 0;
  if (resumes) {
    folder_ = options_.logging_dir.empty() ? folder_to_resume() : options_.logging_dir;
    if (!folder_.empty()) cut_older(event.first_step);
  }
  open();
  if (resumes) write(session_start_event(now(), event.first_step + 1));
  for (const auto& [tag, text] : options_.texts)
    write(text_event(now(), event.first_step, tag, text));
}

void TensorBoardLog::logged(const Logged& event) {
  if (descriptor_ < 0 && !failed_) open();  // an evaluation alone has no start
  if (descriptor_ < 0) return;
  std::vector<Scalar> scalars;
  for (const Metric& metric : event.entry.metrics) {
    if (!is_number(metric.value)) continue;
    scalars.push_back({tensorboard_tag(metric.key), to_number(metric.value)});
  }
  if (event.total_steps > 0) scalars.push_back({"train/epoch", event.entry.epoch});
  write(scalars_event(now(), event.entry.step, scalars));
}

}  // namespace hone::report
