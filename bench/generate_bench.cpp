// Speed of prompt reading and of generation, with weights as f32 and as bf16.
//   generate_bench [MODEL] [THREADS] [cpu]
// MODEL: a GGUF file or a model folder; without it, the one that ./run demo has fetched. `cpu`
// takes processor time instead of wall time (measure.h).
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "assemble/chat_model.h"
#include "base/random.h"
#include "measure.h"

namespace hone::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kPromptTokens = 512;
constexpr std::int64_t kNewTokens = 32;
constexpr double kBudgetSeconds = 4.0;

class Silent final : public LogSink {
 public:
  void line(Severity, std::string_view) override {}
};

std::string fetched_model() {
  const fs::path cache = ".cache/models";
  if (!fs::exists(cache)) return {};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(cache)) {
    if (entry.path().extension() == ".gguf") return entry.path().string();
  }
  return {};
}

std::vector<std::int32_t> random_tokens(std::int64_t count, std::int64_t vocabulary) {
  const CounterRandom random(1, RandomStream::sampling);
  std::vector<std::int32_t> tokens;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t number = random.bits(static_cast<std::uint64_t>(i), 0)[0];
    tokens.push_back(static_cast<std::int32_t>(number % static_cast<std::uint64_t>(vocabulary)));
  }
  return tokens;
}

void measure_model(const std::string& path, config::InferType type, const char* label, int threads,
                   bool processor_time) {
  config::Settings settings;
  settings.model.model_name_or_path = path;
  settings.model.infer_dtype = type;
  if (threads > 0) settings.machine.threads = threads;
  Silent log;
  assemble::ChatModel model(settings, assemble::open_model(path), log);
  model.load();
  generate::DecoderSession& session = model.session();
  const Clock clock{model.threads(), processor_time};
  const std::vector<std::int32_t> tokens =
      random_tokens(kPromptTokens + kNewTokens, session.vocabulary());
  const std::span<const std::int32_t> all(tokens);
  const double reading = best_seconds(clock, kBudgetSeconds, [&] {
    session.cache().truncate(0);
    session.read(all.first(static_cast<std::size_t>(kPromptTokens)));
    session.logits();
  });
  const double generation = best_seconds(clock, kBudgetSeconds, [&] {
    session.cache().truncate(kPromptTokens);
    for (std::int64_t i = 0; i < kNewTokens; ++i) {
      session.read(all.subspan(static_cast<std::size_t>(kPromptTokens + i), 1));
      session.logits();
    }
  });
  fmt::print(
      "{:<5} prompt of {} tokens: {:7.1f} tokens/s   generation after it: {:6.1f} tokens/s\n",
      label, kPromptTokens, static_cast<double>(kPromptTokens) / reading,
      static_cast<double>(kNewTokens) / generation);
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  using namespace hone::bench;
  const std::string model = argc > 1 && fs::exists(argv[1]) ? argv[1] : fetched_model();
  if (model.empty()) {
    fmt::print("generate_bench: no model here; `./run demo` fetches one, or give its path\n");
    return 0;
  }
  const int threads = argc > 2 ? std::atoi(argv[2]) : 0;
  const bool processor_time = argc > 3 && std::string(argv[3]) == "cpu";
  fmt::print("{}\n", model);
  measure_model(model, hone::config::InferType::float32, "f32", threads, processor_time);
  measure_model(model, hone::config::InferType::bfloat16, "bf16", threads, processor_time);
  return 0;
}
