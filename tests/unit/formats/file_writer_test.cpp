#include "formats/file_writer.h"

#include <climits>

#include "unit/formats/expect_fault.h"
#include "unit/formats/stopping_file_system.h"
#include "unit/formats/temporary_folder.h"

namespace hone::formats {
namespace {

namespace fs = std::filesystem;

TEST(FileWriter, ReplacesAFileWhenItIsWhole) {
  const TemporaryFolder folder;
  PosixFileSystem files;
  const fs::path path = folder.write("x", "old");
  FileWriter writer(files, path);
  writer.write("ne");
  EXPECT_EQ(TemporaryFolder::read(path), "old");
  const std::string large(3 << 20, 'w');
  writer.write(large);
  EXPECT_EQ(writer.written_bytes(), large.size() + 2);
  writer.commit();
  EXPECT_EQ(TemporaryFolder::read(path), "ne" + large);
  EXPECT_FALSE(fs::exists(folder.path() / "x.partial"));
}

TEST(FileWriter, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  PosixFileSystem files;
  const fs::path path = folder.write("x", "old");
  { FileWriter(files, path).write("new"); }
  { FileWriter(files, folder.path() / "y", FileWriter::Placement::in_place).write("new"); }
  EXPECT_EQ(TemporaryFolder::read(path), "old");
  EXPECT_FALSE(fs::exists(folder.path() / "x.partial"));
  EXPECT_FALSE(fs::exists(folder.path() / "y"));
}

TEST(FileWriter, WritesInPlaceInsideAFolderThatIsRenamedLater) {
  const TemporaryFolder folder;
  PosixFileSystem files;
  FileWriter writer(files, folder.path() / "x", FileWriter::Placement::in_place);
  writer.write("new");
  writer.commit();
  EXPECT_EQ(TemporaryFolder::read(folder.path() / "x"), "new");
}

// Stopped after every operation, with and without the unsynced data, and in the middle of a write.
TEST(FileWriter, LeavesTheOldOrTheNewFileWhereverItStops) {
  for (const bool torn : {false, true}) {
    for (const bool dropped : {false, true}) {
      int olds = 0;
      int news = 0;
      for (int last = 0; last < 100; ++last) {
        const TemporaryFolder folder;
        const fs::path path = folder.write("x", "old");
        StoppingFileSystem files(last, torn);
        bool finished = true;
        try {
          write_whole_file(files, path, "new text");
        } catch (const Stopped&) {
          finished = false;
        }
        if (dropped) files.drop_unsynced();
        const std::string content = TemporaryFolder::read(path);
        EXPECT_TRUE(content == "old" || content == "new text") << last << ": " << content;
        content == "old" ? ++olds : ++news;
        if (!finished) continue;
        EXPECT_EQ(content, "new text");
        EXPECT_EQ(files.operations(), 5);  // create, write, sync, rename, sync of the folder
        break;
      }
      EXPECT_GE(olds, 4);
      EXPECT_GE(news, dropped ? 1 : 2);
    }
  }
}

// The double itself: what was not synced is really lost.
TEST(StoppingFileSystem, DropsWhatWasNotSynced) {
  const TemporaryFolder folder;
  StoppingFileSystem files(INT_MAX);
  const fs::path path = folder.path() / "x";
  const auto handle = files.create(path);
  files.write(handle, path, std::as_bytes(std::span("abc", 3)));
  files.close(handle);
  files.sync_folder(folder.path());
  files.rename(path, folder.path() / "y");
  files.drop_unsynced();
  EXPECT_EQ(TemporaryFolder::read(path), "");
  EXPECT_TRUE(fs::exists(path));
  EXPECT_FALSE(fs::exists(folder.path() / "y"));
}

TEST(FileWriter, NamesFileAndReasonOfAFullDisk) {
  PosixFileSystem files;
  const auto handle = files.create("/dev/full");
  const std::string text = "x";
  expect_fault([&] { files.write(handle, "/dev/full", std::as_bytes(std::span(text))); },
               "write: /dev/full", "No space left on device", "free some space");
  files.close(handle);
}

TEST(FileWriter, NamesFileAndReasonOfAMissingFolder) {
  const TemporaryFolder folder;
  PosixFileSystem files;
  const fs::path path = folder.path() / "none" / "x";
  expect_fault([&] { write_whole_file(files, path, "x"); }, "write: " + path.native() + ".partial",
               "No such file or directory");
  expect_fault([&] { files.rename(path, path); }, "write: " + path.native(), "No such file");
  expect_fault([&] { files.remove(path); }, "remove: " + path.native(), "No such file");
  expect_fault([&] { files.create_folder(path); }, "make the folder: " + path.native(),
               "No such file");
  expect_fault([&] { files.sync_folder(path); }, path.native(), "No such file");
}

TEST(FileSystem, MakesAndRemovesTrees) {
  const TemporaryFolder folder;
  PosixFileSystem files;
  const fs::path tree = folder.path() / "tree";
  files.create_folder(tree);
  files.create_folder(tree);
  const fs::path outside = folder.write("outside/kept", "kept");
  folder.write("tree/sub/x", "x");
  fs::create_directory_symlink(folder.path() / "outside", tree / "link");
  remove_tree(files, tree);
  remove_tree(files, tree);
  EXPECT_FALSE(fs::exists(tree));
  EXPECT_TRUE(fs::exists(outside));
  const fs::path file = folder.write("file", "x");
  expect_fault([&] { files.create_folder(file); }, "make the folder: " + file.native(),
               "File exists");
}

}  // namespace
}  // namespace hone::formats
