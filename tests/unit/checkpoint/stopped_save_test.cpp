// The machine stops before and after every operation of a save, and between the bytes of a write;
// then once more with everything lost that was not synced. What is found afterwards is the old or
// the new checkpoint, whole.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "checkpoint/checkpoint_folders.h"
#include "unit/checkpoint/tiny_run.h"
#include "unit/formats/stopping_file_system.h"

namespace hone::checkpoint {
namespace {

namespace fs = std::filesystem;
using formats::StoppingFileSystem;
using formats::TemporaryFolder;
using formats::UnsyncedFileSystem;

enum class Power { stays, torn_write, cut };

struct Outcome {
  int stops = 0;
  std::set<std::string> found;  // step and seed; "nothing"
};

// Names in the folder that no whole save leaves.
std::vector<fs::path> leftovers(const fs::path& folder) {
  std::vector<fs::path> paths = partial_folders(folder);
  for (const fs::path& removed : removed_folders(folder)) paths.push_back(removed);
  return paths;
}

// Step and seed of the checkpoint that a run would go on from; every bit of it is looked at.
std::string found_in(const fs::path& folder) {
  UnsyncedFileSystem system;
  RecordedLog log;
  const std::optional<Checkpoint> found =
      choose_checkpoint(system, {folder, std::nullopt, false}, log);
  EXPECT_EQ(log.warned(), "");
  if (!found) return "nothing";
  return std::to_string(TinyRun().step_of(*found)) + ", seed " +
         std::to_string(found->state.facts.seed);
}

// Runs `save` on copies of `before`, stopped after 0, 1, 2, ... operations, until it gets through.
Outcome stop_everywhere(const fs::path& before, Power power,
                        const std::function<void(formats::FileSystem&, const fs::path&)>& save) {
  Outcome outcome;
  const TemporaryFolder place;
  for (bool through = false; !through; ++outcome.stops) {
    SCOPED_TRACE("stopped after " + std::to_string(outcome.stops) + " operations");
    const fs::path folder = place.path() / std::to_string(outcome.stops);
    fs::copy(before, folder, fs::copy_options::recursive);
    StoppingFileSystem stopping(outcome.stops, power == Power::torn_write);
    try {
      save(stopping, folder);
      through = true;
    } catch (const formats::Stopped&) {
    }
    if (power == Power::cut) stopping.drop_unsynced();
    const std::string found = found_in(folder);
    outcome.found.insert(found);
    // What was found is found again: a resume may be stopped too.
    EXPECT_EQ(found_in(folder), found);
    UnsyncedFileSystem system;
    TinyRun later;
    later.save(system, later.saving(folder), 77);
    EXPECT_EQ(found_in(folder), "77, seed 42");
    EXPECT_TRUE(leftovers(folder).empty());
    if (testing::Test::HasFailure()) return outcome;
  }
  return outcome;
}

class StoppedSave : public testing::TestWithParam<Power> {
 protected:
  // A folder with these checkpoints.
  void start_with(std::vector<std::int64_t> steps) {
    UnsyncedFileSystem system;
    TinyRun run;
    for (const std::int64_t step : steps) run.save(system, run.saving(before_.path()), step);
  }

  Outcome stop(const std::function<void(TinyRun&, FolderSaverOptions&)>& change,
               std::int64_t step) {
    return stop_everywhere(before_.path(), GetParam(),
                           [&](formats::FileSystem& system, const fs::path& folder) {
                             TinyRun run;
                             FolderSaverOptions options = run.saving(folder);
                             change(run, options);
                             run.save(system, options, step);
                           });
  }

  TemporaryFolder before_;
};

TEST_P(StoppedSave, LeavesNothingOrTheFirstCheckpoint) {
  const Outcome outcome = stop([](TinyRun&, FolderSaverOptions&) {}, 5);
  EXPECT_EQ(outcome.found, (std::set<std::string>{"nothing", "5, seed 42"}));
  EXPECT_GE(outcome.stops, 20);
}

TEST_P(StoppedSave, LeavesTheOldOrTheNewCheckpoint) {
  start_with({5});
  const Outcome outcome =
      stop([](TinyRun&, FolderSaverOptions& options) { options.total_limit = 1; }, 10);
  EXPECT_EQ(outcome.found, (std::set<std::string>{"5, seed 42", "10, seed 42"}));
  EXPECT_GE(outcome.stops, 25);
}

TEST_P(StoppedSave, LeavesTheOldOrTheNewCheckpointOfOneNumber) {
  start_with({4, 5});
  const Outcome outcome = stop(
      [](TinyRun& run, FolderSaverOptions& options) {
        run.facts.seed = 43;
        options.facts.seed = 43;
      },
      5);
  EXPECT_EQ(outcome.found, (std::set<std::string>{"5, seed 42", "5, seed 43"}));
}

TEST_P(StoppedSave, LeavesACheckpointOfTheOverwrittenRunOrTheNewOne) {
  start_with({8, 9});
  const Outcome outcome = stop(
      [](TinyRun&, FolderSaverOptions& options) {
        options.replaced = checkpoint_folders(options.output_dir);
      },
      3);
  EXPECT_EQ(outcome.found, (std::set<std::string>{"3, seed 42", "9, seed 42"}));
}

INSTANTIATE_TEST_SUITE_P(Power, StoppedSave,
                         testing::Values(Power::stays, Power::torn_write, Power::cut),
                         [](const auto& parameter) {
                           switch (parameter.param) {
                             case Power::stays:
                               return "stays";
                             case Power::torn_write:
                               return "torn_write";
                             case Power::cut:
                               return "cut";
                           }
                           return "";
                         });

TEST(StoppedResume, CompletesASaveThatLacksItsLastRename) {
  const TemporaryFolder before;
  UnsyncedFileSystem system;
  TinyRun run;
  run.save(system, run.saving(before.path()), 5);
  run.save(system, run.saving(before.path()), 10);
  fs::rename(before.path() / "checkpoint-10", before.path() / "checkpoint-10.partial");
  int stops = 0;
  for (bool through = false; !through; ++stops) {
    const TemporaryFolder place;
    const fs::path folder = place.path() / "run";
    fs::copy(before.path(), folder, fs::copy_options::recursive);
    StoppingFileSystem stopping(stops);
    RecordedLog log;
    try {
      choose_checkpoint(stopping, {folder, std::nullopt, false}, log);
      through = true;
      EXPECT_EQ(log.infos,
                std::vector<std::string>{"completed " + (folder / "checkpoint-10").string() +
                                         ": its save was stopped after everything was written"});
      EXPECT_TRUE(fs::exists(folder / "checkpoint-10"));
    } catch (const formats::Stopped&) {
    }
    stopping.drop_unsynced();
    EXPECT_EQ(found_in(folder), "10, seed 42");
  }
  EXPECT_GE(stops, 3);
}

}  // namespace
}  // namespace hone::checkpoint
