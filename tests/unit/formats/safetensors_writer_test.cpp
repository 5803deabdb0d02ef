#include "formats/safetensors_writer.h"

#include <algorithm>

#include "formats/safetensors.h"
#include "formats/safetensors_shards.h"
#include "unit/formats/expect_fault.h"
#include "unit/formats/temporary_folder.h"

namespace hone::formats {
namespace {

namespace fs = std::filesystem;

std::vector<TensorSpec> reference_tensors() {
  const SafetensorsFile reference(HONE_TEST_DATA "/reference.safetensors");
  std::vector<TensorSpec> tensors;
  for (const SafetensorsEntry& tensor : reference.tensors()) {
    tensors.push_back({tensor.name, *tensor.type->dtype, reference.view(tensor.name).shape()});
  }
  return tensors;
}

TEST(SafetensorsWriter, WritesTheBytesOfTheReference) {
  const SafetensorsFile reference(HONE_TEST_DATA "/reference.safetensors");
  std::vector<TensorSpec> tensors = reference_tensors();
  std::reverse(tensors.begin(), tensors.end());
  const TemporaryFolder folder;
  PosixFileSystem files;
  const fs::path path = folder.path() / "m.safetensors";
  SafetensorsWriter writer(files, path, tensors, {{"format", "pt"}});
  for (const TensorSpec& tensor : writer.order()) {
    const auto bytes = reference.bytes(*reference.find(tensor.name));
    writer.write(bytes.first(bytes.size() / 2));  // cut as one likes
    writer.write(bytes.subspan(bytes.size() / 2));
  }
  EXPECT_FALSE(fs::exists(path));
  writer.commit();
  EXPECT_EQ(TemporaryFolder::read(path), reference.file().text());
}

TEST(SafetensorsWriter, LeavesNothingUnfinished) {
  const TemporaryFolder folder;
  PosixFileSystem files;
  const fs::path path = folder.path() / "m.safetensors";
  {
    SafetensorsWriter writer(files, path, {{"a", DType::u8, {2}}});
    writer.write(std::as_bytes(std::span("x", 1)));
    EXPECT_THROW(writer.commit(), InternalError);
    EXPECT_THROW(writer.write(std::as_bytes(std::span("xx", 2))), InternalError);
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
  EXPECT_THROW(SafetensorsWriter(files, path, {{"a", DType::c128, {2}}}), InternalError);
}

TEST(SafetensorsWriter, WritesEmptyFiles) {
  const TemporaryFolder folder;
  PosixFileSystem files;
  SafetensorsWriter writer(files, folder.path() / "m", {});
  writer.commit();
  EXPECT_TRUE(SafetensorsFile(folder.path() / "m").tensors().empty());
}

std::vector<std::string> names_of(const SafetensorsShard& shard) {
  std::vector<std::string> names;
  for (const TensorSpec& tensor : shard.tensors) names.push_back(tensor.name);
  return names;
}

TEST(Shards, AreCutInOrderAndLargeTensorsStandAlone) {
  const std::vector<TensorSpec> tensors = {{"a", DType::u8, {4}},
                                           {"b", DType::u8, {5}},
                                           {"huge", DType::u8, {11}},
                                           {"c", DType::u8, {1}},
                                           {"d", DType::u8, {10}}};
  const auto shards = divide_into_shards(tensors, 10);
  ASSERT_EQ(shards.size(), 3u);
  EXPECT_EQ(names_of(shards[0]), (std::vector<std::string>{"huge"}));
  EXPECT_EQ(names_of(shards[1]), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(names_of(shards[2]), (std::vector<std::string>{"d"}));
  EXPECT_EQ(shards[1].file_name, "model-00002-of-00003.safetensors");
  EXPECT_EQ(shard_index_text(shards, 31),
            "{\n  \"metadata\": {\n    \"total_parameters\": 31,\n    \"total_size\": 31\n  },\n"
            "  \"weight_map\": {\n"
            "    \"a\": \"model-00002-of-00003.safetensors\",\n"
            "    \"b\": \"model-00002-of-00003.safetensors\",\n"
            "    \"c\": \"model-00002-of-00003.safetensors\",\n"
            "    \"d\": \"model-00003-of-00003.safetensors\",\n"
            "    \"huge\": \"model-00001-of-00003.safetensors\"\n  }\n}\n");
}

TEST(Shards, AreOneFileWhereAllFits) {
  const auto shards = divide_into_shards({{"a", DType::u8, {4}}}, 4, "adapter_model");
  ASSERT_EQ(shards.size(), 1u);
  EXPECT_EQ(shards[0].file_name, "adapter_model.safetensors");
  EXPECT_EQ(divide_into_shards({}, 4).at(0).file_name, "model.safetensors");
}

}  // namespace
}  // namespace hone::formats
