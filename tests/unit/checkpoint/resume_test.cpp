// Which checkpoint a run goes on from, and what is said about the others.
#include <gtest/gtest.h>

#include <fstream>

#include "unit/checkpoint/tiny_run.h"
#include "unit/formats/expect_fault.h"
#include "unit/formats/stopping_file_system.h"

namespace hone::checkpoint {
namespace {

namespace fs = std::filesystem;
using formats::expect_fault;
using formats::expect_part;
using formats::TemporaryFolder;

void cut_in_half(const fs::path& file) {
  fs::resize_file(file, fs::file_size(file) / 2);
}

void flip_a_byte(const fs::path& file) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(-1, std::ios::end);
  const char last = static_cast<char>(stream.get());
  stream.seekp(-1, std::ios::end);
  stream.put(static_cast<char>(last ^ 1));
}

class Resume : public testing::Test {
 protected:
  void save_steps(std::int64_t first, std::int64_t last, bool only_model = false) {
    for (std::int64_t step = first; step <= last; ++step) {
      FolderSaverOptions options = run_.saving(output());
      options.only_model = only_model;
      run_.save(system_, options, step);
    }
  }

  fs::path output() const { return place_.path() / "run"; }
  fs::path checkpoint(std::int64_t step) const { return checkpoint_folder(output(), step); }

  std::optional<Checkpoint> choose(std::optional<std::string> named = std::nullopt,
                                   bool overwrite = false) {
    log_ = {};
    return choose_checkpoint(system_, {output(), named, overwrite}, log_);
  }

  // Step 9 is chosen, with one warning that names 10 and what is wrong with it.
  void expect_nine(const std::string& wrong) {
    const std::optional<Checkpoint> found = choose();
    ASSERT_TRUE(found);
    EXPECT_EQ(run_.step_of(*found), 9);
    EXPECT_EQ(log_.warned(), "passed over " + checkpoint(10).string() + ": " + wrong + "\n");
  }

  void SetUp() override { fs::create_directories(output()); }

  TemporaryFolder place_;
  formats::UnsyncedFileSystem system_;
  TinyRun run_;
  RecordedLog log_;
};

TEST_F(Resume, TakesTheLargestNumber) {
  save_steps(9, 10);
  const std::optional<Checkpoint> found = choose();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->folder, checkpoint(10));
  EXPECT_EQ(run_.step_of(*found), 10);
  EXPECT_EQ(found->optimizer_updates(), 10);
  EXPECT_EQ(found->trainer_state, "{\"global_step\": 10}\n");
  EXPECT_EQ(log_.warned(), "");
}

TEST_F(Resume, PassesOverACheckpointWithoutItsStateFile) {
  save_steps(9, 10);
  fs::remove(checkpoint(10) / "trainer_state.json");
  expect_nine("missing: trainer_state.json");
}

TEST_F(Resume, PassesOverCutWeights) {
  save_steps(9, 10);
  const std::uintmax_t whole = fs::file_size(checkpoint(10) / "adapter_model.safetensors");
  cut_in_half(checkpoint(10) / "adapter_model.safetensors");
  expect_nine("adapter_model.safetensors has " + std::to_string(whole / 2) + " bytes, where " +
              std::to_string(whole) + " were written");
}

TEST_F(Resume, PassesOverAnEmptyOptimizerFile) {
  save_steps(9, 10);
  const std::uintmax_t whole = fs::file_size(checkpoint(10) / "optimizer.safetensors");
  fs::resize_file(checkpoint(10) / "optimizer.safetensors", 0);
  expect_nine("optimizer.safetensors has 0 bytes, where " + std::to_string(whole) +
              " were written");
}

TEST_F(Resume, PassesOverOtherBytes) {
  save_steps(9, 10);
  flip_a_byte(checkpoint(10) / "adapter_model.safetensors");
  expect_nine("adapter_model.safetensors has other bytes than were written");
}

TEST_F(Resume, PassesOverCutStateFile) {
  save_steps(9, 10);
  cut_in_half(checkpoint(10) / "hone_state.json");
  const std::optional<Checkpoint> found = choose();
  ASSERT_TRUE(found);
  EXPECT_EQ(run_.step_of(*found), 9);
  expect_part(log_.warned(), "passed over " + checkpoint(10).string());
}

TEST_F(Resume, IgnoresWhatIsNoCheckpoint) {
  save_steps(9, 10);
  fs::create_directory(output() / "checkpoint-99");
  fs::create_directory(output() / "checkpoint-x");
  std::ofstream(output() / "checkpoint-50") << "a file";
  const std::optional<Checkpoint> found = choose();
  ASSERT_TRUE(found);
  EXPECT_EQ(run_.step_of(*found), 10);
  const std::string folder = output().string();
  EXPECT_EQ(log_.warned(),
            "passed over " + folder + "/checkpoint-50: not a folder called checkpoint-<step>\n" +
                "passed over " + folder + "/checkpoint-x: not a folder called checkpoint-<step>\n" +
                "passed over " + folder +
                "/checkpoint-99: not a checkpoint: no hone_state.json in it\n");
}

TEST_F(Resume, NeverFallsBackFromACheckpointThatWasNamed) {
  save_steps(9, 10);
  fs::remove(checkpoint(10) / "trainer_state.json");
  expect_fault([&] { choose(checkpoint(10).string()); }, "checkpoint " + checkpoint(10).string(),
               "missing: trainer_state.json", "use an older checkpoint");
}

TEST_F(Resume, NamesEverythingThatIsWrong) {
  save_steps(10, 10);
  fs::remove(checkpoint(10) / "trainer_state.json");
  flip_a_byte(checkpoint(10) / "optimizer.safetensors");
  try {
    open_checkpoint(checkpoint(10));
    FAIL() << "nothing was refused";
  } catch (const UserError& error) {
    ASSERT_EQ(error.faults().size(), 2U);
    EXPECT_EQ(error.faults()[0].found, "optimizer.safetensors has other bytes than were written");
    EXPECT_EQ(error.faults()[1].found, "missing: trainer_state.json");
  }
}

TEST_F(Resume, SaysThatLaterCheckpointsStay) {
  save_steps(9, 10);
  const std::optional<Checkpoint> found = choose(checkpoint(9).string());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step(), 9);
  EXPECT_EQ(log_.warned(), checkpoint(10).string() +
                               " is later than the checkpoint that this run goes on from; it stays "
                               "until this run saves the same step\n");
}

TEST_F(Resume, RefusesTrueWithoutACheckpoint) {
  for (const char* word : {"true", "True"}) {
    expect_fault([&] { choose(word); }, "resume_from_checkpoint: true",
                 "no checkpoint in " + output().string() + " that is whole",
                 "leave resume_from_checkpoint out");
  }
}

TEST_F(Resume, StartsAnewWithoutCheckpoints) {
  EXPECT_FALSE(choose());
  fs::create_directory(output() / "checkpoint-99");
  EXPECT_FALSE(choose());
  expect_part(log_.warned(), "checkpoint-99: not a checkpoint");
}

TEST_F(Resume, StartsAnewWhenToldTo) {
  save_steps(5, 5);
  EXPECT_FALSE(choose(std::nullopt, true));
  EXPECT_FALSE(choose("false"));
  EXPECT_TRUE(choose("true", true));
}

TEST_F(Resume, RefusesToLoseTheOnlyCheckpoint) {
  save_steps(5, 5);
  cut_in_half(checkpoint(5) / "optimizer.safetensors");
  expect_fault([&] { choose(); }, "checkpoint " + checkpoint(5).string(),
               "optimizer.safetensors has",
               "set overwrite_output_dir: true to train from the start");
}

TEST_F(Resume, RefusesAnotherProgramsCheckpoint) {
  fs::create_directory(checkpoint(5));
  std::ofstream(checkpoint(5) / "trainer_state.json") << "{}";
  expect_fault([&] { choose(); }, "checkpoint " + checkpoint(5).string(),
               "no hone_state.json in it: another program wrote it", "choose another output_dir");
  expect_fault([&] { choose(checkpoint(5).string()); }, "checkpoint " + checkpoint(5).string(),
               "no hone_state.json in it: another program wrote it", "adapter_name_or_path");
}

TEST_F(Resume, RefusesFoldersThatAreNoCheckpoint) {
  const fs::path model = place_.path() / "model";
  kit::write_model(model);
  expect_fault([&] { choose(model.string()); }, "checkpoint " + model.string(),
               "not a checkpoint: no hone_state.json in it", "checkpoint-<step>");
  expect_fault([&] { choose((model / "config.json").string()); }, "config.json", "a file");
  expect_fault([&] { choose((model / "nowhere").string()); }, "nowhere", "no such folder");
}

TEST_F(Resume, RefusesFilesOutsideTheFolder) {
  save_steps(5, 5);
  std::string state = TemporaryFolder::read(checkpoint(5) / "hone_state.json");
  std::ofstream(output() / "elsewhere") << "text";
  state.replace(state.find("optimizer.safetensors"), 21, "../elsewhere");
  std::ofstream(checkpoint(5) / "hone_state.json") << state;
  expect_fault([&] { open_checkpoint(checkpoint(5)); }, "checkpoint " + checkpoint(5).string(),
               "a path that leaves");
}

TEST_F(Resume, SaysThatTheOptimizerStartsAnew) {
  save_steps(5, 5, true);
  EXPECT_FALSE(fs::exists(checkpoint(5) / "optimizer.safetensors"));
  const std::optional<Checkpoint> found = choose();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step(), 5);
  EXPECT_EQ(found->optimizer_updates(), 0);
  compare_with_run(*found, run_.facts, log_);
  EXPECT_EQ(log_.warned(), "checkpoint " + checkpoint(5).string() +
                               " has no optimizer state (save_only_model): the optimizer's moments "
                               "start anew; the learning rate goes on from step 5\n");
  TinyRun loaded;
  load_optimizer(*found, *loaded.layout, *loaded.optimizer);
  EXPECT_EQ(loaded.optimizer->first, TinyRun().optimizer->first);
}

TEST_F(Resume, SaysWhatTheRunIsMadeFromNow) {
  save_steps(5, 5);
  const std::optional<Checkpoint> found = choose();
  ASSERT_TRUE(found);
  compare_with_run(*found, run_.facts, log_);
  EXPECT_EQ(log_.warned(), "");
  RunFacts now = run_.facts;
  now.records = 12;
  now.data_fingerprint = "fedcba9876543210";
  now.settings = {{"learning_rate", "0.002"}, {"new_setting", "1"}};
  now.micro_step_tokens = 8192;
  compare_with_run(*found, now, log_);
  ASSERT_EQ(log_.warnings.size(), 3U);
  EXPECT_EQ(log_.warnings[0],
            "resumed on another training set: 12 records, fingerprint fedcba9876543210, where the "
            "checkpoint was made with 10 records, fingerprint 0123456789abcdef; records are dealt "
            "from the set of now");
  expect_part(log_.warnings[1], "micro_step_tokens: 8192, where the checkpoint was made with 1536");
  expect_part(log_.warnings[2], "learning_rate: 0.002, where the checkpoint was made with 0.001");
}

TEST_F(Resume, RefusesWeightsOfAnotherRank) {
  save_steps(5, 5);
  model::LoraOptions wider = tiny_lora();
  wider.rank = 4;
  TinyRun other(wider);
  expect_fault(
      [&] { load_weights(*choose(), other.decoder.registry, *other.layout, other.flat()); },
      "checkpoint " + checkpoint(5).string(), "it trains other parameters", "lora_rank");
}

TEST_F(Resume, RefusesStateOfAnotherOptimizer) {
  save_steps(5, 5);
  struct Other final : optimizers::Optimizer {
    const BufferList& buffers() const override { return none; }
    std::vector<optimizers::StateArray> state() const override {
      return {{"first_moment", TensorView(values, DType::bf16, {2})},
              {"momentum", TensorView(values, DType::f32, {1})}};
    }
    void update(ops::OpContext&, const TensorView&, const ConstTensorView&,
                const optimizers::Update&) override {}
    BufferList none;
    mutable float values[1] = {};
  } other;
  try {
    load_optimizer(*choose(), *run_.layout, other);
    FAIL() << "nothing was refused";
  } catch (const UserError& error) {
    ASSERT_EQ(error.faults().size(), 2U);
    expect_part(error.faults()[0].found, "where this run's optimizer has bf16 [");
    EXPECT_EQ(error.faults()[1].found, "no such array");
    EXPECT_EQ(error.faults()[1].remedy, "use the optim that it was made with");
  }
}

TEST_F(Resume, KeepsTheNewestUpToTheLimit) {
  FolderSaverOptions options = run_.saving(output());
  options.total_limit = 2;
  for (const std::int64_t step : {8, 9, 10, 11}) run_.save(system_, options, step);
  EXPECT_EQ(checkpoint_folders(output()), (std::vector<fs::path>{checkpoint(10), checkpoint(11)}));
  EXPECT_EQ(run_.log.infos.back(), "removed " + checkpoint(9).string() + " (save_total_limit: 2)");
}

TEST_F(Resume, NeverRemovesTheOneJustSavedOrWhatOthersWrote) {
  save_steps(10, 10);
  fs::create_directory(checkpoint(3));
  std::ofstream(checkpoint(3) / "trainer_state.json") << "{}";
  FolderSaverOptions options = run_.saving(output());
  options.total_limit = 1;
  run_.save(system_, options, 6);
  EXPECT_EQ(checkpoint_folders(output()), (std::vector<fs::path>{checkpoint(3), checkpoint(6)}));
}

TEST_F(Resume, ReportsPathAndSize) {
  const SavedCheckpoint saved = run_.save(system_, run_.saving(output()), 5);
  EXPECT_EQ(saved.path, checkpoint(5).string());
  std::uintmax_t bytes = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(checkpoint(5))) {
    bytes += entry.file_size();
  }
  EXPECT_EQ(saved.size_bytes, bytes);
}

// A disk that is full after some bytes.
class FullDisk final : public formats::FileSystem {
 public:
  Handle create(const fs::path& file) override { return real_.create(file); }
  void write(Handle, const fs::path& file, std::span<const std::byte>) override {
    throw UserError({"write: " + file.string(), "No space left on device", "free some space"});
  }
  void sync(Handle, const fs::path&) override {}
  void close(Handle handle) override { real_.close(handle); }
  void rename(const fs::path& from, const fs::path& to) override { real_.rename(from, to); }
  void remove(const fs::path& file) override { real_.remove(file); }
  void create_folder(const fs::path& folder) override { real_.create_folder(folder); }
  void sync_folder(const fs::path&) override {}

 private:
  formats::UnsyncedFileSystem real_;
};

TEST_F(Resume, AFullDiskLeavesTheOldCheckpointAndNothingElse) {
  save_steps(5, 5);
  FullDisk full;
  expect_fault([&] { run_.save(full, run_.saving(output()), 10); }, "adapter_model.safetensors",
               "No space left on device");
  EXPECT_FALSE(fs::exists(partial_name(checkpoint(10))));
  EXPECT_EQ(run_.step_of(*choose()), 5);
}

}  // namespace
}  // namespace hone::checkpoint
