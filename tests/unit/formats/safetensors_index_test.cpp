#include "formats/safetensors_index.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <vector>

#include "formats/model_folder.h"
#include "unit/formats/expect_fault.h"
#include "unit/formats/safetensors_bytes.h"
#include "unit/formats/temporary_folder.h"

namespace hone::formats {
namespace {

namespace fs = std::filesystem;

std::string file_with(const std::string& tensor) {
  return safetensors_bytes(
      "{\"" + tensor + "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4);
}

std::string index_of(const std::string& weight_map) {
  return "{\"metadata\": {\"total_size\": 8}, \"weight_map\": {" + weight_map + "}}";
}

const std::string kIndex = "model.safetensors.index.json";

// P/secret.safetensors beside the model P/M, whose index puts lm_head.weight into `name`.
class HostileNames : public ::testing::Test {
 protected:
  HostileNames() {
    parent_.write("secret.safetensors", file_with("lm_head.weight"));
    parent_.write("M/x.safetensors", file_with("x"));
  }

  // `json` is the file name as it stands in the index, quotes included.
  void expect_refused(const std::string& json, const std::string& found,
                      const std::string& asked = "tensor 'lm_head.weight' in ") {
    SCOPED_TRACE(json);
    parent_.write("M/" + kIndex, index_of("\"x\": \"x.safetensors\", \"lm_head.weight\": " + json));
    expect_fault([&] { SafetensorsModel{parent_.path() / "M"}; }, asked, found);
  }

  TemporaryFolder parent_;
};

TEST_F(HostileNames, AreRefusedBeforeAnythingIsOpened) {
  expect_refused("\"../secret.safetensors\"",
                 "a path that leaves the model's folder: \"../secret.safetensors\"");
  expect_refused("\"" + (parent_.path() / "secret.safetensors").native() + "\"",
                 "an absolute path");
  expect_refused("\"sub/../../secret.safetensors\"", "a path that leaves the model's folder");
  expect_refused("\"a\\u0000b\"", "a zero byte in the file name: \"a\\x00b\"");
  expect_refused("\"\"", "an empty file name");
  expect_refused("\".\"", "a path that is not the plain name of a file: \".\"");
  expect_refused("\"x.safetensors/\"", "a path that is not the plain name of a file");
  expect_refused("\"..\\\\secret.safetensors\"", "a backslash in the file name");
  expect_refused("5", "the number 5", "weight_map.lm_head.weight in ");
  expect_refused("null", "null", "weight_map.lm_head.weight in ");
}

TEST_F(HostileNames, MayNotBeLinksThatLeaveTheFolder) {
  fs::create_symlink("../secret.safetensors", parent_.path() / "M" / "link.safetensors");
  expect_refused("\"link.safetensors\"",
                 "a link that leaves the model's folder: \"link.safetensors\"");
  fs::create_directory_symlink("..", parent_.path() / "M" / "up");
  expect_refused("\"up/secret.safetensors\"", "a link that leaves the model's folder");
  fs::create_symlink("nowhere", parent_.path() / "M" / "dangling");
  expect_refused("\"dangling\"", "No such file or directory: \"dangling\"");
  fs::create_symlink("loop", parent_.path() / "M" / "loop");
  expect_refused("\"loop\"", "Too many levels of symbolic links");
}

TEST_F(HostileNames, MayNotBePipesOrFolders) {
  ASSERT_EQ(::mkfifo((parent_.path() / "M" / "pipe").c_str(), 0600), 0);
  expect_refused("\"pipe\"", "not a plain file: \"pipe\"");
  fs::create_directory(parent_.path() / "M" / "sub");
  expect_refused("\"sub\"", "not a plain file: \"sub\"");
}

TEST(SafetensorsModel, FollowsLinksInsideTheFolderAndInHubCaches) {
  const TemporaryFolder folder;
  folder.write("M/blobs/1", file_with("a"));
  fs::create_symlink("blobs/1", folder.path() / "M" / "model.safetensors");
  EXPECT_EQ(SafetensorsModel(folder.path() / "M").tensor_count(), 1u);

  folder.write("models--o--n/blobs/2", file_with("b"));
  const fs::path revision = folder.path() / "models--o--n" / "snapshots" / "abc";
  fs::create_directories(revision);
  fs::create_symlink("../../blobs/2", revision / "model.safetensors");
  EXPECT_NE(SafetensorsModel(revision).find("b"), nullptr);

  // The same links where the folders are not those of a cache.
  folder.write("other/blobs/3", file_with("b"));
  const fs::path plain = folder.path() / "other" / "snapshots" / "abc";
  fs::create_directories(plain);
  fs::create_symlink("../../blobs/3", plain / "model.safetensors");
  expect_fault([&] { SafetensorsModel{plain}; }, "weights in " + plain.native(),
               "a link that leaves the model's folder");
}

TEST(SafetensorsModel, OpensShardsAndFindsTensors) {
  const TemporaryFolder folder;
  folder.write("one.safetensors", file_with("a"));
  folder.write("sub/two.safetensors", file_with("b"));
  folder.write(kIndex, index_of("\"a\": \"one.safetensors\", \"b\": \"sub/two.safetensors\""));
  EXPECT_TRUE(SafetensorsModel::is_in(folder.path()));
  EXPECT_FALSE(SafetensorsModel::is_in(folder.path(), "adapter_model"));
  const SafetensorsModel model(folder.path());
  EXPECT_EQ(model.files().size(), 2u);
  EXPECT_EQ(model.tensor_count(), 2u);
  EXPECT_EQ(model.size_bytes(), 8u);
  EXPECT_EQ(model.view("b").elements(), 1);
  expect_fault([&] { model.view("c"); }, "tensor 'c' of " + folder.path().native(),
               "no such tensor");
}

// What this process holds in memory now. Sums over its mappings: the kernel's own count lags.
std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/smaps_rollup");
  std::string word;
  std::int64_t kib = 0;
  while (file >> word) {
    if (word == "Rss:") file >> kib;
  }
  return kib << 10;
}

TEST(SafetensorsModel, ReadsABigTensorInPiecesThatLeaveTheMemory) {
  constexpr std::int64_t kRows = 4099, kColumns = 1023;
  constexpr std::int64_t kElements = kRows * kColumns;
  const TemporaryFolder folder;
  std::string header = R"({"x":{"dtype":"F64","shape":[4099,1023],"data_offsets":[0,33546216]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');  // aligned, as writers of the format have it
  std::string bytes = safetensors_bytes(header, 0);
  std::vector<double> values(kElements);
  std::iota(values.begin(), values.end(), 0.5);
  bytes.append(reinterpret_cast<const char*>(values.data()), sizeof(double) * kElements);
  folder.write("model.safetensors", bytes);
  const SafetensorsModel model(folder.path());
  std::int64_t next = 0, pieces = 0, equal = 0, most_memory = 0;
  const std::int64_t before = resident_bytes();
  model.read_in_pieces("x", [&](std::int64_t first, const ConstTensorView& piece) {
    ASSERT_EQ(first, next);
    ASSERT_EQ(piece.shape().rank(), 1);
    next += piece.elements();
    ++pieces;
    for (std::int64_t i = 0; i < piece.elements(); ++i) {
      equal += piece.data<double>()[i] == values[static_cast<std::size_t>(first + i)] ? 1 : 0;
    }
    most_memory = std::max(most_memory, resident_bytes() - before);
  });
  EXPECT_EQ(next, kElements);
  EXPECT_EQ(equal, kElements);
  EXPECT_GT(pieces, 1);
  EXPECT_LT(most_memory, std::int64_t{16} << 20) << "of 32 MiB";
}

TEST(SafetensorsModel, TakesTheSingleFileWhereBothAre) {
  const TemporaryFolder folder;
  folder.write("adapter_model.safetensors", file_with("a"));
  folder.write("adapter_model.safetensors.index.json", "broken");
  EXPECT_EQ(SafetensorsModel(folder.path(), "adapter_model").files().size(), 1u);
}

TEST(SafetensorsModel, RefusesFilesThatDoNotBelongTogether) {
  const TemporaryFolder folder;
  folder.write("one.safetensors", file_with("a"));
  folder.write("two.safetensors", file_with("a"));
  const auto open = [&](const std::string& weight_map) {
    folder.write(kIndex, index_of(weight_map));
    SafetensorsModel{folder.path()};
  };
  expect_fault([&] { open("\"a\": \"three.safetensors\""); }, "tensor 'a' in ",
               "No such file or directory: \"three.safetensors\"", "download the missing file");
  expect_fault([&] { open("\"b\": \"one.safetensors\""); }, "tensor 'b' in ",
               "no such tensor in one.safetensors, where the index puts it", "download");
  expect_fault([&] { open("\"a\": \"one.safetensors\", \"x\": {}"); }, "weight_map.x in ",
               "an object", "give it as a string");
  // Both files hold a; the index knows of one, and makes the other be opened by its only tensor.
  folder.write("two.safetensors",
               safetensors_bytes(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                 R"("b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                                 2));
  expect_fault([&] { open("\"a\": \"one.safetensors\", \"b\": \"two.safetensors\""); },
               "tensor 'a' of " + folder.path().native(), "it is in two files, ");
  expect_fault([&] { open("\"a\": \"one.safetensors\", \"a\": \"two.safetensors\""); },
               "JSON: ", "the key \"a\" a second time");
}

TEST(SafetensorsModel, ShowsAllFaultsOfAnIndexTogether) {
  const TemporaryFolder folder;
  std::string weight_map;
  for (int shard = 0; shard < 30; ++shard) {
    const std::string name = std::to_string(shard);
    weight_map += (shard > 0 ? ", \"t" : "\"t") + name + "\": \"" + name + ".safetensors\"";
  }
  folder.write(kIndex, index_of(weight_map));
  try {
    SafetensorsModel{folder.path()};
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.faults().size(), 10u);
  }
}

TEST(SafetensorsModel, RefusesFoldersWithoutWeights) {
  const TemporaryFolder folder;
  const std::string asked = "weights in " + folder.path().native();
  expect_fault([&] { SafetensorsModel{folder.path()}; }, asked,
               "neither model.safetensors nor model.safetensors.index.json", "download");
  folder.write("pytorch_model.bin", "PK");
  expect_fault([&] { SafetensorsModel{folder.path()}; }, asked, "only pytorch_model.bin",
               "convert");
  expect_fault([&] { SafetensorsModel{folder.path() / "none"}; }, asked + "/none", "no such folder",
               "spelling");
  expect_fault([&] { SafetensorsModel{folder.path() / "pytorch_model.bin"}; }, asked,
               "not a folder");
}

}  // namespace
}  // namespace hone::formats
