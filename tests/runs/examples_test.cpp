// The configurations in examples/, each used in miniature: their own words, on a tiny model.
#include <gtest/gtest.h>

#include <algorithm>

#include "assemble/chat_session.h"
#include "assemble/model_export.h"
#include "kit/training_session.h"

namespace hone::kit {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// The .yaml files below a folder of examples/, sorted.
std::vector<fs::path> examples(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(HONE_SOURCE_ROOT "/examples/" + folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// A model, data under the names that the examples use, and an adapter for the model.
class Examples : public testing::Test {
 protected:
  Examples() {
    workshop_.place().write("DATA/dataset_info.json",
                            R"({"alpaca_en_demo":{"file_name":"d.json"},"texts_en_demo":)"
                            R"({"file_name":"t.jsonl","columns":{"prompt":"text"}}})");
    std::string texts;
    for (int i = 0; i < 10; ++i) {
      texts += "{\"text\":\"" + std::string(400, static_cast<char>('a' + i)) + "\"}\n";
    }
    workshop_.place().write("DATA/t.jsonl", texts);
  }

  std::string model() const { return "model_name_or_path=" + workshop_.model().string(); }

  // A folder with an adapter for the model.
  fs::path trained_adapter() const {
    const fs::path folder = workshop_.place().path() / "ADAPTER";
    const auto run = run_words({model(), "dataset_dir=" + workshop_.data().string(),
                                "dataset=alpaca_en_demo", "template=default", "do_train=true",
                                "output_dir=" + folder.string(), "max_steps=1"});
    EXPECT_EQ(run->error, "");
    return folder;
  }

  // An example's own words, and what points elsewhere.
  config::ReadResult read(config::Command command, const fs::path& file, Words words) const {
    words.insert(words.begin(), {file.string(), model(), "template=default"});
    return config::read_settings({command, words, "", false});
  }

  Workshop workshop_{ModelOptions{}, data_k10()};
};

TEST_F(Examples, Train) {
  std::vector<fs::path> files = examples("train_lora");
  for (const char* folder : {"train_full", "extras", "demo"}) {
    const std::vector<fs::path> more = examples(folder);
    files.insert(files.end(), more.begin(), more.end());
  }
  ASSERT_GE(files.size(), 10u);
  int folder = 0;
  for (const fs::path& file : files) {
    SCOPED_TRACE(file);
    const fs::path results = workshop_.place().path() / ("RUN" + std::to_string(folder++));
    Words words = {file.string(),
                   model(),
                   "dataset_dir=" + workshop_.data().string(),
                   "template=default",
                   "output_dir=" + results.string(),
                   "max_steps=2",
                   "eval_steps=2"};
    // Where it keeps something besides.
    if (bytes_of(file).find("tokenized_path") != std::string::npos) {
      words.push_back("tokenized_path=" + results.string() + "-data");
    }
    const auto session = run_words(words);
    EXPECT_EQ(session->error, "");
    EXPECT_EQ(session->events.steps.size(), 2u);
    EXPECT_TRUE(fs::exists(results / "train_results.json"));
  }
}

TEST_F(Examples, Merge) {
  const fs::path adapter = trained_adapter();
  const std::vector<fs::path> files = examples("merge_lora");
  ASSERT_GE(files.size(), 3u);
  int folder = 0;
  for (const fs::path& file : files) {
    SCOPED_TRACE(file);
    const fs::path results = workshop_.place().path() / ("MERGED" + std::to_string(folder++));
    Words words = {"export_dir=" + results.string()};
    if (bytes_of(file).find("adapter_name_or_path") != std::string::npos) {
      words.push_back("adapter_name_or_path=" + adapter.string());
    }
    RecordingLog log;
    assemble::export_merged_model(read(config::Command::export_model, file, words).settings, log);
    EXPECT_TRUE(fs::exists(results / "model.safetensors"));
    EXPECT_TRUE(fs::exists(results / "tokenizer_config.json"));
  }
}

TEST_F(Examples, Inference) {
  const fs::path adapter = trained_adapter();
  const std::vector<fs::path> files = examples("inference");
  ASSERT_GE(files.size(), 4u);
  for (const fs::path& file : files) {
    SCOPED_TRACE(file);
    Words words = {"max_new_tokens=3", "memory_limit=1GiB"};
    if (bytes_of(file).find("adapter_name_or_path") != std::string::npos) {
      words.push_back("adapter_name_or_path=" + adapter.string());
    }
    const config::ReadResult settings = read(config::Command::chat, file, words);
    RecordingLog log;
    assemble::ChatSession session(settings, 1, log);
    session.load();
    const auto on_text = [](std::string_view) {};
    session.ask("x", on_text, [] { return false; });
    EXPECT_EQ(session.history().size(), 2u);
  }
}

}  // namespace
}  // namespace hone::kit
