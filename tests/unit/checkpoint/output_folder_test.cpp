// Folders that a run may and may not write to.
#include "checkpoint/output_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "checkpoint/final_model.h"
#include "unit/checkpoint/tiny_run.h"
#include "unit/formats/expect_fault.h"
#include "unit/formats/stopping_file_system.h"

namespace hone::checkpoint {
namespace {

namespace fs = std::filesystem;
using formats::expect_fault;

class Output : public testing::Test {
 protected:
  fs::path run() const { return place_.path() / "run"; }

  void open(const OutputFolderOptions& options) { OutputFolder(system_, options, log_); }

  formats::TemporaryFolder place_;
  formats::UnsyncedFileSystem system_;
  RecordedLog log_;
};

TEST_F(Output, MakesTheFolderWithThoseAboveIt) {
  const fs::path deep = run() / "a" / "b";
  const OutputFolder folder(system_, {deep, false, {}}, log_);
  EXPECT_TRUE(fs::is_directory(deep));
  EXPECT_EQ(folder.path(), deep);
  folder.refuse_finished_model();
}

TEST_F(Output, TakesAFolderThatIsEmptyOrHoldsOtherThings) {
  fs::create_directory(run());
  open({run(), false, {}});
  std::ofstream(run() / "notes.txt") << "mine";
  const OutputFolder folder(system_, {run(), false, {}}, log_);
  folder.refuse_finished_model();
  EXPECT_EQ(formats::TemporaryFolder::read(run() / "notes.txt"), "mine");
  EXPECT_TRUE(log_.infos.empty());
}

TEST_F(Output, LeavesNoLockFileBehind) {
  fs::create_directory(run());
  open({run(), false, {}});
  EXPECT_TRUE(fs::is_empty(run()));
}

TEST_F(Output, TakesBackWhatItMadeWhereNothingWasWritten) {
  fs::create_directory(run());
  open({run() / "a" / "b", false, {}});
  EXPECT_TRUE(fs::is_empty(run()));
  // A folder that cannot be made: nor those above it.
  const std::string too_long(300, 'x');
  expect_fault([&] { open({run() / "a" / "b" / too_long, false, {}}); }, too_long, "too long");
  EXPECT_TRUE(fs::is_empty(run()));
}

TEST_F(Output, KeepsWhatWasWrittenAndWhatWasThere) {
  fs::create_directories(run() / "old");
  {
    const OutputFolder folder(system_, {run() / "a" / "b", false, {}}, log_);
    std::ofstream(run() / "a" / "notes.txt") << "mine";
  }
  EXPECT_FALSE(fs::exists(run() / "a" / "b"));
  EXPECT_EQ(formats::TemporaryFolder::read(run() / "a" / "notes.txt"), "mine");
  open({run() / "old", false, {}});
  EXPECT_TRUE(fs::is_empty(run() / "old"));
  {
    const OutputFolder folder(system_, {run() / "c", false, {}}, log_);
    std::ofstream(run() / "c" / "result") << "1";
  }
  EXPECT_TRUE(fs::exists(run() / "c" / "result"));
}

TEST_F(Output, RefusesAFile) {
  std::ofstream(run()) << "text";
  expect_fault([&] { open({run(), false, {}}); }, "output_dir: " + run().string(),
               run().string() + " is a file", "name a folder");
  expect_fault([&] { open({run() / "below", false, {}}); },
               "output_dir: " + run().string() + "/below", run().string() + " is a file");
}

// Nobody can write there, root neither.
TEST_F(Output, RefusesAFolderThatCannotBeWritten) {
  expect_fault([&] { open({"/proc", false, {}}); }, "output_dir: /proc",
               "it cannot be written to: ");
}

TEST_F(Output, RefusesTheModelFolder) {
  fs::create_directory(run());
  fs::create_directory_symlink(run(), place_.path() / "link");
  expect_fault([&] { open({run(), true, {place_.path() / "link"}}); },
               "output_dir: " + run().string(), "the folder that the run reads from",
               "what is read is never written to");
}

TEST_F(Output, RefusesAFinishedModel) {
  TinyRun tiny;
  fs::create_directory(run());
  save_final_model(system_, run(), tiny.files());
  const OutputFolder folder(system_, {run(), false, {}}, log_);
  expect_fault([&] { folder.refuse_finished_model(); }, "output_dir: " + run().string(),
               "it already exists and is not empty: a finished model (adapter_model.safetensors)",
               "set overwrite_output_dir: true");
}

TEST_F(Output, SaysWhatIsReplaced) {
  TinyRun tiny;
  fs::create_directory(run());
  tiny.save(system_, tiny.saving(run()), 5);
  fs::create_directory(run() / "checkpoint-7");  // of somebody else
  save_final_model(system_, run(), tiny.files());
  std::ofstream(run() / "notes.txt") << "mine";
  FolderSaverOptions options = tiny.saving(run());
  {
    const OutputFolder folder(system_, {run(), true, {}}, log_);
    EXPECT_EQ(folder.replaced(), std::vector<fs::path>{run() / "checkpoint-5"});
    EXPECT_EQ(log_.infos,
              std::vector<std::string>{
                  "overwrite_output_dir: starting anew; this run's first save replaces, in " +
                  run().string() + ": checkpoint-5, adapter_model.safetensors"});
    // Nothing is gone before the run has something to put in its place.
    EXPECT_TRUE(fs::exists(run() / "checkpoint-5"));
    options.replaced = folder.replaced();
  }
  tiny.save(system_, options, 1);
  EXPECT_EQ(checkpoint_folders(run()),
            (std::vector<fs::path>{run() / "checkpoint-1", run() / "checkpoint-7"}));
  EXPECT_EQ(formats::TemporaryFolder::read(run() / "notes.txt"), "mine");
}

TEST_F(Output, RefusesASecondRun) {
  const OutputFolder first(system_, {run(), false, {}}, log_);
  expect_fault([&] { open({run(), false, {}}); }, "output_dir: " + run().string(),
               "in use by another run: process " + std::to_string(::getpid()),
               "choose another output_dir");
}

TEST_F(Output, IsFreeAgainAfterItsRunWasKilled) {
  fs::create_directory(run());
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const OutputFolder held(system_, {run(), false, {}}, log_);
    const char done = 1;
    if (::write(ready[1], &done, 1) != 1) ::_exit(1);
    while (true) ::pause();
  }
  char done = 0;
  ASSERT_EQ(::read(ready[0], &done, 1), 1);
  expect_fault([&] { open({run(), false, {}}); }, "output_dir",
               "in use by another run: process " + std::to_string(child));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  open({run(), false, {}});
  EXPECT_FALSE(fs::exists(run() / ".hone.lock"));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(Output, CompletesAStoppedFinalSave) {
  TinyRun tiny;
  fs::create_directory(run());
  save_final_model(system_, run(), tiny.files());
  // As if the machine had stopped before the last rename.
  fs::create_directory(run() / "model.partial");
  fs::rename(run() / "adapter_config.json", run() / "model.partial" / "adapter_config.json");
  std::ofstream(run() / "model.partial" / "files.json")
      << R"(["adapter_model.safetensors", "adapter_config.json"])";
  open({run(), false, {}});
  EXPECT_TRUE(fs::exists(run() / "adapter_config.json"));
  EXPECT_FALSE(fs::exists(run() / "model.partial"));
  EXPECT_EQ(log_.infos,
            std::vector<std::string>{"completed the model in " + run().string() +
                                     ": its save was stopped after everything was written"});
}

}  // namespace
}  // namespace hone::checkpoint
