#include "kit/training_session.h"

#include <unistd.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "formats/safetensors.h"
#include "model/weights/weight_files.h"

namespace hone::kit {

void RecordingLog::line(Severity severity, std::string_view text) {
  lines.push_back((severity == Severity::warning ? "warning: " : "") + std::string(text));
}

bool RecordingLog::has(const std::string& part) const {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

std::vector<double> Session::losses() const {
  std::vector<double> values;
  for (const report::StepFinished& step : events.steps) {
    values.push_back(step.loss.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return values;
}

std::vector<double> Session::gradient_norms() const {
  std::vector<double> values;
  for (const report::StepFinished& step : events.steps) {
    values.push_back(step.grad_norm.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return values;
}

namespace {

// A run syncs whatever it saves, and a disk would be most of a test's time.
std::filesystem::path fast_place() {
  const std::filesystem::path memory = "/dev/shm";
  return ::access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path();
}

}  // namespace

Workshop::Workshop(const ModelOptions& model, const std::vector<Example>& data)
    : place_(fast_place()) {
  write_model(this->model(), model);
  write_data(this->data(), data);
}

std::vector<std::string> Workshop::words(const std::vector<std::string>& settings) const {
  std::vector<std::string> words = {"model_name_or_path=" + model().string(),
                                    "stage=sft",
                                    "do_train=true",
                                    "finetuning_type=full",
                                    "dataset_dir=" + data().string(),
                                    "dataset=d",
                                    "template=default",
                                    "cutoff_len=2048",
                                    "output_dir=" + results().string(),
                                    "per_device_train_batch_size=1",
                                    "gradient_accumulation_steps=1",
                                    "learning_rate=1.0e-30",
                                    "lr_scheduler_type=constant",
                                    "num_train_epochs=1",
                                    "logging_steps=1",
                                    "save_strategy=no",
                                    "report_to=none",
                                    "threads=1"};
  words.insert(words.end(), settings.begin(), settings.end());
  return words;
}

std::unique_ptr<Session> Workshop::run(const std::vector<std::string>& settings,
                                       std::optional<int> stop_after) const {
  return run_words(words(settings), {.stop_after = stop_after});
}

std::unique_ptr<Session> Workshop::die(const std::vector<std::string>& settings,
                                       std::int64_t step) const {
  return run_words(words(settings), {.dies_at = step});
}

std::unique_ptr<Session> Workshop::plan(const std::vector<std::string>& settings) const {
  return run_words(words(settings), {.plan_only = true});
}

std::unique_ptr<Session> run_words(const std::vector<std::string>& words,
                                   const SessionOptions& options) {
  auto session = std::make_unique<Session>();
  session->events.dies_at = options.dies_at;
  try {
    const config::ReadResult read =
        config::read_settings({config::Command::train, words, options.home, false});
    for (const config::Notice& notice : read.notices) {
      session->log.line(notice.severity, notice.text);
    }
    const auto stop = [&] {
      return options.stop_after &&
             static_cast<int>(session->events.steps.size()) >= *options.stop_after;
    };
    assemble::TrainingRun run(read,
                              {session->log, session->events, stop, {}, options.open_machine});
    const assemble::PlannedRun& planned = run.planned();
    session->summary = planned.summary();
    session->memory_table = planned.memory_table();
    session->planned_bytes = planned.plan->plan.total_bytes();
    session->recomputed_blocks = planned.plan->recomputed_blocks;
    session->trainable_parameters = planned.decoder->registry.trainable_elements();
    session->record_sizes = planned.data->training.dataset.sizes();
    if (!options.plan_only) session->outcome = run.run();
  } catch (const UserError& error) {
    session->error = error.what();
  } catch (const Death&) {
    session->died = true;
  }
  return session;
}

std::map<std::string, std::vector<float>> read_tensors(const std::filesystem::path& file) {
  const formats::SafetensorsFile opened(file);
  std::map<std::string, std::vector<float>> tensors;
  for (const formats::SafetensorsEntry& entry : opened.tensors()) {
    const ConstTensorView view = opened.view(entry.name);
    std::vector<float> values(static_cast<std::size_t>(view.elements()));
    model::convert_weight(view, TensorView(values.data(), DType::f32, view.shape()));
    tensors[entry.name] = std::move(values);
  }
  return tensors;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::string bytes = formats::TemporaryFolder::read(file);
  EXPECT_FALSE(bytes.empty()) << file;
  return bytes;
}

testing::AssertionResult same_files(const std::filesystem::path& left,
                                    const std::filesystem::path& right) {
  if (bytes_of(left) == bytes_of(right)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << left << " and " << right << " differ";
}

}  // namespace hone::kit
