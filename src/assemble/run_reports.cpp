#include "assemble/run_reports.h"

#include <fmt/format.h>

#include "base/version.h"
#include "config/effective.h"
#include "device/cpu/cpu_device.h"
#include "formats/json_writer.h"

namespace hone::assemble {
namespace {

namespace fs = std::filesystem;

report::TrainerLog::Start log_start(const config::ReadResult& read, bool resumed) {
  if (resumed) return report::TrainerLog::Start::resume;
  return read.settings.training.overwrite_output_dir ? report::TrainerLog::Start::anew
                                                     : report::TrainerLog::Start::append;
}

report::RunPageOptions page_options(const config::ReadResult& read,
                                    const RunReportsOptions& options) {
  report::RunPageOptions page;
  page.file = (options.output_dir / "report.html").string();
  page.resume = options.resumed;
  page.memory_bytes = [] { return static_cast<std::int64_t>(resident_bytes()); };
  page.content.title =
      read.settings.training.run_name.value_or(options.output_dir.filename().string());
  page.content.summary = options.summary;
  page.content.version = std::string(version());
  for (const config::EffectiveSetting& setting : config::effective_settings(read)) {
    page.content.settings.push_back({setting.name, setting.value, setting.origin});
  }
  return page;
}

}  // namespace

std::optional<report::TensorBoardOptions> tensorboard_options(const config::ReadResult& read,
                                                              const RunReportsOptions& options) {
  const config::TrainingSettings& training = read.settings.training;
  if (training.report_to != config::ReportTo::tensorboard) return std::nullopt;
  report::TensorBoardOptions to;
  to.output_dir = options.output_dir.string();
  if (training.logging_dir) {
    to.logging_dir = fs::absolute(*training.logging_dir).lexically_normal().string();
  }
  to.resume = options.resumed;
  formats::Value arguments = formats::Object();
  for (const config::EffectiveSetting& setting : config::effective_settings(read)) {
    arguments.set(setting.name, setting.value);
  }
  to.texts.emplace_back("args", formats::dump_python(arguments, {.indent = 2}));
  if (options.model != nullptr) {
    to.texts.emplace_back("model_config", formats::dump_python(*options.model, {.indent = 2}));
  }
  return to;
}

RunReports::RunReports(const config::ReadResult& read, const RunReportsOptions& options,
                       formats::FileSystem& system, LogSink& log)
    : trainer_log_((options.output_dir / "trainer_log.jsonl").string(),
                   log_start(read, options.resumed), options.report_tokens, log),
      page_(page_options(read, options), system, log) {
  if (std::optional<report::TensorBoardOptions> to = tensorboard_options(read, options)) {
    tensorboard_.emplace(*std::move(to), log);
  }
}

void RunReports::add_to(report::ListenerList& listeners) {
  listeners.add(trainer_log_);
  listeners.add(page_);
  if (tensorboard_) listeners.add(*tensorboard_);
}

std::vector<std::string> RunReports::lines() const {
  std::vector<std::string> lines;
  if (page_.written()) lines.push_back("the run as a page: " + page_.file());
  if (tensorboard_ && !tensorboard_->folder().empty()) {
    lines.push_back(fmt::format("for TensorBoard: tensorboard --logdir {}",
                                fs::path(tensorboard_->folder()).string()));
  }
  return lines;
}

}  // namespace hone::assemble
