#include <sys/stat.h>
#include <unistd.h>

#include "formats/mapped_file.h"
#include "formats/whole_file.h"
#include "unit/formats/expect_fault.h"
#include "unit/formats/temporary_folder.h"

namespace hone::formats {
namespace {

TEST(MappedFile, ShowsTheBytesOfTheFile) {
  const TemporaryFolder folder;
  const auto path = folder.write("x", std::string("a\0b", 3));
  const MappedFile file(path);
  EXPECT_EQ(file.text(), std::string_view("a\0b", 3));
  EXPECT_EQ(file.bytes().size(), 3u);
  EXPECT_EQ(file.path(), path);
  file.let_go(file.bytes());
  file.let_go(file.bytes().subspan(1, 1));
  EXPECT_EQ(file.text(), std::string_view("a\0b", 3)) << "read again";
  MappedFile moved = MappedFile(path);
  EXPECT_EQ(moved.text().size(), 3u);
}

TEST(MappedFile, MapsAnEmptyFileToNothing) {
  const TemporaryFolder folder;
  EXPECT_TRUE(MappedFile(folder.write("x", "")).bytes().empty());
}

TEST(MappedFile, TellsStatesOfAFileApart) {
  const TemporaryFolder folder;
  const auto path = folder.write("x", "one");
  const FileIdentity before = MappedFile(path).identity();
  EXPECT_EQ(MappedFile(path).identity(), before);
  folder.write("x", "four");
  EXPECT_FALSE(MappedFile(path).identity() == before);
}

TEST(MappedFile, RefusesWhatIsNotThere) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "sub" / ".." / "x";
  expect_fault([&] { MappedFile{path}; }, "read: " + (folder.path() / "x").native(),
               "No such file or directory", "spelling");
  expect_fault([&] { MappedFile{std::filesystem::path(std::string("a\0b", 3))}; }, "a\\x00b",
               "a zero byte in the name");
}

TEST(MappedFile, RefusesWhatIsNoPlainFileWithoutHanging) {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_fault([&] { MappedFile{pipe}; }, pipe.native(), "a named pipe, not a plain file");
  expect_fault([&] { MappedFile{folder.path()}; }, folder.path().native(), "a folder");
  expect_fault([&] { MappedFile{"/dev/zero"}; }, "/dev/zero", "a device, not a plain file");
  expect_fault([&] { read_whole_file(pipe, 100); }, pipe.native(), "a named pipe");
}

TEST(MappedFile, RefusesWhatMayNotBeRead) {
  if (::geteuid() == 0) return;  // root may read everything
  const TemporaryFolder folder;
  const auto path = folder.write("x", "one");
  ::chmod(path.c_str(), 0);
  expect_fault([&] { MappedFile{path}; }, path.native(), "Permission denied", "permissions");
}

TEST(WholeFile, ReadsUpToALimit) {
  const TemporaryFolder folder;
  const auto path = folder.write("x", "12345");
  EXPECT_EQ(read_whole_file(path, 5), "12345");
  expect_fault([&] { read_whole_file(path, 4); }, path.native(),
               "5 bytes, more than the 4 allowed here");
}

}  // namespace
}  // namespace hone::formats
