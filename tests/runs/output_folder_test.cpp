// What a run does with an output folder in whatever state it finds it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "kit/training_session.h"

namespace hone::kit {
namespace {

namespace fs = std::filesystem;

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

class OutputFolders : public testing::Test {
 protected:
  std::unique_ptr<Session> train(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> settings = {"learning_rate=1e-3", "save_strategy=steps",
                                         "save_steps=1"};
    settings.insert(settings.end(), more.begin(), more.end());
    return shop_.run(settings);
  }

  Workshop shop_;
};

TEST_F(OutputFolders, EmptyOnesAndNotesAreNoHindrance) {
  fs::create_directories(shop_.results());
  ASSERT_EQ(train({"save_strategy=no"})->error, "");
  const fs::path other = shop_.place().path() / "a" / "b" / "c";
  ASSERT_EQ(train({"save_strategy=no", "output_dir=" + other.string()})->error, "");
  EXPECT_TRUE(fs::exists(other / "model.safetensors"));
  const fs::path noted = shop_.place().write("NOTED/notes.txt", "mine").parent_path();
  ASSERT_EQ(train({"save_strategy=no", "output_dir=" + noted.string()})->error, "");
  EXPECT_EQ(bytes_of(noted / "notes.txt"), "mine");
}

TEST_F(OutputFolders, FinishedModelIsNotWrittenOver) {
  ASSERT_EQ(train({"save_strategy=no"})->error, "");
  const std::string before = bytes_of(shop_.results() / "model.safetensors");
  const auto session = train({"save_strategy=no", "learning_rate=1e-2"});
  expect_in(session->error, "already exists and is not empty");
  expect_in(session->error, "overwrite_output_dir: true");
  EXPECT_TRUE(session->events.steps.empty());
  EXPECT_TRUE(bytes_of(shop_.results() / "model.safetensors") == before);
}

TEST_F(OutputFolders, EarlierCheckpointsAreResumed) {
  ASSERT_EQ(train({"num_train_epochs=2"})->error, "");
  const auto session = train({"num_train_epochs=3"});
  ASSERT_EQ(session->error, "");
  EXPECT_TRUE(session->log.has("resuming from " + (shop_.results() / "checkpoint-4").string() +
                               ", after step 4"));
  EXPECT_EQ(session->first().step, 5);
}

TEST_F(OutputFolders, OverwritingStartsAnewAndKeepsWhatIsNotOurs) {
  ASSERT_EQ(train({"num_train_epochs=2"})->error, "");
  std::ofstream(shop_.results() / "notes.txt") << "mine";
  const auto session = train({"overwrite_output_dir=true"});
  ASSERT_EQ(session->error, "");
  EXPECT_EQ(session->first().step, 1);
  EXPECT_TRUE(session->log.has("starting anew"));
  EXPECT_TRUE(session->log.has("checkpoint-4"));
  EXPECT_FALSE(session->log.has("resuming"));
  EXPECT_EQ(bytes_of(shop_.results() / "notes.txt"), "mine");
  EXPECT_TRUE(fs::exists(shop_.results() / "checkpoint-2"));
  EXPECT_FALSE(fs::exists(shop_.results() / "checkpoint-4"));
}

// A kill before anything was saved must leave the earlier run's checkpoints.
TEST_F(OutputFolders, OverwritingRemovesNothingBeforeItSaved) {
  ASSERT_EQ(train({"num_train_epochs=2"})->error, "");
  const auto session = train({"overwrite_output_dir=true", "learning_rate=1e39"});
  expect_in(session->error, "not finite");
  EXPECT_TRUE(fs::exists(shop_.results() / "checkpoint-4" / "model.safetensors"));
}

TEST_F(OutputFolders, PlacesThatCannotBeOnes) {
  const fs::path file = shop_.place().write("FILE", "text");
  expect_in(train({"output_dir=" + file.string()})->error, "is a file");
  EXPECT_EQ(bytes_of(file), "text");
  const auto inside = train({"output_dir=" + (file / "RUN").string()});
  expect_in(inside->error, "is a file");
  // Nobody, not even root, makes folders here.
  expect_in(train({"output_dir=/proc/hone/RUN"})->error, "/proc/hone");
  const auto source = train({"output_dir=" + shop_.model().string() + "/"});
  expect_in(source->error, "the folder that the run reads from");
  for (const char* way : {"overwrite_output_dir=true", "overwrite_output_dir=false"}) {
    const auto session = train({"output_dir=" + shop_.model().string(), way});
    expect_in(session->error, "the folder that the run reads from");
  }
  EXPECT_TRUE(fs::exists(shop_.model() / "model.safetensors"));
}

TEST_F(OutputFolders, FolderWithOtherThingsKeepsThemAll) {
  const fs::path home = shop_.place().path();  // model, data and whatever else lies here
  shop_.place().write("checkpoint-7/mine.txt", "not hone's");
  shop_.place().write("model.txt", "mine");
  const auto session = train({"output_dir=" + home.string(), "overwrite_output_dir=true"});
  ASSERT_EQ(session->error, "");
  EXPECT_EQ(bytes_of(home / "checkpoint-7" / "mine.txt"), "not hone's");
  EXPECT_EQ(bytes_of(home / "model.txt"), "mine");
  EXPECT_TRUE(fs::exists(shop_.model() / "model.safetensors"));
  EXPECT_TRUE(fs::exists(shop_.data() / "d.json"));
}

// Names and bytes of everything below a folder.
std::map<fs::path, std::string> everything_in(const fs::path& folder) {
  std::map<fs::path, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    found[entry.path()] = entry.is_regular_file() ? bytes_of(entry.path()) : "folder";
  }
  return found;
}

// Whatever is wrong: before the first write the disk is as it was.
TEST_F(OutputFolders, RefusedRunsLeaveTheDiskAsItWas) {
  const fs::path place = shop_.place().path();
  shop_.place().write("UNLABELLED/dataset_info.json", R"({"d": {"file_name": "d.json"}})");
  shop_.place().write("UNLABELLED/d.json", R"([{"instruction": "x", "input": "", "output": ""}])");
  shop_.place().write("BROKEN/dataset_info.json", R"({"d": {"file_name": "d.json"}})");
  shop_.place().write("BROKEN/d.json", R"([{"instruction": "x", )");
  shop_.place().write("TORN/adapter_config.json", "{");
  const auto in_place = [&](const char* setting, const char* name) {
    return std::string(setting) + "=" + (place / name).string();
  };
  const std::vector<std::vector<std::string>> refusals = {
      {"model_name_or_path=/no/such/model"},
      {"dataset=nope"},
      {"eval_dataset=nope", "do_eval=true"},
      {"val_size=100", "do_eval=true"},
      {"template=llama9"},
      {"template=empty", in_place("dataset_dir", "UNLABELLED")},
      {in_place("dataset_dir", "BROKEN")},
      {"cutoff_len=1"},
      {"finetuning_type=lora", "lora_target=nope"},
      {"finetuning_type=lora", "adapter_name_or_path=/no/such/adapter"},
      {"finetuning_type=lora", in_place("adapter_name_or_path", "TORN")},
      {"resume_from_checkpoint=true"},
      {"resume_from_checkpoint=/no/such/checkpoint"},
      {in_place("resume_from_checkpoint", "MODEL")},
      {"memory_limit=1MiB"},
  };
  fs::create_directories(place / "THERE");
  const auto before = everything_in(place);
  for (const std::vector<std::string>& refusal : refusals) {
    for (const char* folder : {"NEW", "NEW/deep/RUN", "THERE", "THERE/RUN"}) {
      SCOPED_TRACE(refusal.back() + " into " + folder);
      std::vector<std::string> settings = refusal;
      settings.push_back(in_place("output_dir", folder));
      EXPECT_NE(train(settings)->error, "");
      EXPECT_EQ(everything_in(place), before);
    }
  }
}

TEST_F(OutputFolders, SecondRunAtOnceIsRefused) {
  const std::vector<std::string> words = shop_.words({});
  const config::ReadResult read = config::read_settings({config::Command::train, words, "", false});
  RecordingLog log;
  RecordingListener events;
  {
    const assemble::TrainingRun first(read, {log, events, [] { return false; }});
    expect_in(train()->error, "in use by another run");
  }
  EXPECT_EQ(train()->error, "");
}

}  // namespace
}  // namespace hone::kit
