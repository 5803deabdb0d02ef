// A final model over an older one, stopped at every operation: nobody reads a mixture, and after
// the next start the old or the new model is there.
#include "checkpoint/final_model.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <set>

#include "formats/json.h"
#include "model/adapters/peft_adapter.h"
#include "unit/checkpoint/tiny_run.h"
#include "unit/formats/stopping_file_system.h"

namespace hone::checkpoint {
namespace {

namespace fs = std::filesystem;
using formats::TemporaryFolder;
using formats::UnsyncedFileSystem;

// An adapter whose alpha and weights both tell `version`.
void save_adapter(formats::FileSystem& system, const fs::path& folder, int version) {
  model::LoraOptions options = tiny_lora();
  options.alpha = version;
  TinyRun run(options);
  run.pretend(version);
  ModelFiles files = run.files();
  files.add(TextFile{"tokenizer.json", std::to_string(version)});
  save_final_model(system, folder, files);
}

// The version that a reader sees: "none" without configuration.
std::string adapter_in(const fs::path& folder) {
  if (!fs::exists(folder / "adapter_config.json")) return "none";
  const model::PeftAdapter adapter(folder);
  TinyRun run;
  const model::LoraOptions options = adapter.options_for(run.decoder);
  const std::string first =
      model::peft_name(run.decoder.registry.at(run.layout->ranges()[0].id).name);
  const float value =
      formats::SafetensorsModel(folder, "adapter_model").view(first).data<float>()[0];
  const std::string weights = std::to_string(static_cast<int>(value / 1000.0f));
  const std::string alpha = std::to_string(static_cast<int>(options.alpha));
  const std::string tokenizer = TemporaryFolder::read(folder / "tokenizer.json");
  return weights == alpha && tokenizer == alpha ? alpha : "a mixture";
}

// A full model whose weights are all `version`, as one file or in shards.
void save_full(formats::FileSystem& system, const fs::path& folder, int version, bool shards) {
  model::Decoder decoder(model::describe_model(kit::kit_config({}), "config.json"));
  for (ParameterId id = 0; id < decoder.registry.size(); ++id) {
    decoder.registry.set_trainable(id, true);
  }
  const FlatLayout layout(decoder.registry);
  std::vector<float> weights(static_cast<std::size_t>(layout.elements()),
                             static_cast<float>(version));
  const TensorView flat(weights.data(), DType::f32, {layout.elements()});
  formats::Value config = kit::kit_config({});
  config.set("version", version);
  const std::unique_ptr<model::WeightFiles> none =
      model::promise_weights(decoder.registry, DType::f32, "nowhere");
  ModelFiles files = full_model_files(decoder, decoder.registry.size(), layout, flat, *none,
                                      {config, {}}, DType::f32);
  if (shards) files.max_file_bytes = 20000;
  save_final_model(system, folder, files);
}

std::string full_model_in(const fs::path& folder) {
  if (!fs::exists(folder / "config.json")) return "none";
  const std::int64_t version =
      formats::read_json(folder / "config.json").find("version")->integer();
  const formats::SafetensorsModel model(folder);
  if (model.tensor_count() != 21) return "not whole";
  for (const formats::SafetensorsFile& file : model.files()) {
    for (const formats::SafetensorsEntry& entry : file.tensors()) {
      if (file.view(entry.name).data<float>()[0] != static_cast<float>(version)) return "a mixture";
    }
  }
  return std::to_string(version);
}

struct Outcome {
  int stops = 0;
  std::set<std::string> seen;      // by a reader right after the stop
  std::set<std::string> finished;  // after the next start
};

using Save = std::function<void(formats::FileSystem&, const fs::path&)>;

Outcome stop_everywhere(const Save& before, const Save& save, std::string (*look)(const fs::path&),
                        bool cut) {
  Outcome outcome;
  const TemporaryFolder place;
  UnsyncedFileSystem system;
  fs::create_directory(place.path() / "before");
  before(system, place.path() / "before");
  for (bool through = false; !through; ++outcome.stops) {
    SCOPED_TRACE("stopped after " + std::to_string(outcome.stops) + " operations");
    const fs::path folder = place.path() / std::to_string(outcome.stops);
    fs::copy(place.path() / "before", folder, fs::copy_options::recursive);
    formats::StoppingFileSystem stopping(outcome.stops);
    try {
      save(stopping, folder);
      through = true;
    } catch (const formats::Stopped&) {
    }
    if (cut) stopping.drop_unsynced();
    outcome.seen.insert(look(folder));
    // The next start is stopped as well, somewhere, and the one after gets through.
    formats::StoppingFileSystem second(outcome.stops * 5 % 14);
    try {
      finish_final_model(second, folder);
    } catch (const formats::Stopped&) {
    }
    if (cut) second.drop_unsynced();
    outcome.seen.insert(look(folder));
    finish_final_model(system, folder);
    outcome.finished.insert(look(folder));
    EXPECT_FALSE(fs::exists(folder / "model.partial"));
  }
  return outcome;
}

class FinalModel : public testing::TestWithParam<bool> {};

using Set = std::set<std::string>;

TEST_P(FinalModel, FirstAdapter) {
  const Outcome outcome = stop_everywhere(
      [](formats::FileSystem&, const fs::path&) {},
      [](formats::FileSystem& system, const fs::path& folder) { save_adapter(system, folder, 2); },
      adapter_in, GetParam());
  EXPECT_EQ(outcome.seen, (Set{"none", "2"}));
  EXPECT_EQ(outcome.finished, (Set{"none", "2"}));
  EXPECT_GE(outcome.stops, 15);
}

TEST_P(FinalModel, AdapterOverAnOlderOne) {
  const Outcome outcome = stop_everywhere(
      [](formats::FileSystem& system, const fs::path& folder) { save_adapter(system, folder, 1); },
      [](formats::FileSystem& system, const fs::path& folder) { save_adapter(system, folder, 2); },
      adapter_in, GetParam());
  EXPECT_EQ(outcome.seen, (Set{"1", "none", "2"}));
  EXPECT_EQ(outcome.finished, (Set{"1", "2"}));
}

TEST_P(FinalModel, ShardsOverOneFile) {
  const Outcome outcome =
      stop_everywhere([](formats::FileSystem& system,
                         const fs::path& folder) { save_full(system, folder, 1, false); },
                      [](formats::FileSystem& system, const fs::path& folder) {
                        save_full(system, folder, 2, true);
                      },
                      full_model_in, GetParam());
  EXPECT_EQ(outcome.seen, (Set{"1", "none", "2"}));
  EXPECT_EQ(outcome.finished, (Set{"1", "2"}));
}

TEST_P(FinalModel, OneFileOverShards) {
  const Outcome outcome =
      stop_everywhere([](formats::FileSystem& system,
                         const fs::path& folder) { save_full(system, folder, 1, true); },
                      [](formats::FileSystem& system, const fs::path& folder) {
                        save_full(system, folder, 2, false);
                      },
                      full_model_in, GetParam());
  EXPECT_EQ(outcome.seen, (Set{"1", "none", "2"}));
  EXPECT_EQ(outcome.finished, (Set{"1", "2"}));
}

INSTANTIATE_TEST_SUITE_P(Power, FinalModel, testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "cut" : "stays"; });

TEST(FinalModelFiles, ReplacesTheOtherKindAndLeavesTheFilesOfOthers) {
  const TemporaryFolder place;
  UnsyncedFileSystem system;
  std::ofstream(place.path() / "notes.txt") << "mine";
  std::ofstream(place.path() / "pytorch_model.bin") << "not hone's";
  save_full(system, place.path(), 1, true);
  save_adapter(system, place.path(), 2);
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(place.path())) {
    names.insert(entry.path().filename().string());
  }
  EXPECT_EQ(names,
            (Set{"adapter_config.json", "adapter_model.safetensors", "generation_config.json",
                 "notes.txt", "pytorch_model.bin", "tokenizer.json"}));
  EXPECT_EQ(TemporaryFolder::read(place.path() / "notes.txt"), "mine");
}

}  // namespace
}  // namespace hone::checkpoint
