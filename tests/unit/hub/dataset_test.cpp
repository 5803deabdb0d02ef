#include "hub/wanted_files.h"
#include "unit/hub/hub_kit.h"

namespace hone::hub {
namespace {

class DatasetTest : public HubTest {
 protected:
  DatasetTest() {
    server.dataset = true;
    server.id = "org/set";
    server.files.clear();
    place_.repository = {RepositoryKind::dataset, "org/set", "main"};
  }

  void files(const std::vector<std::string>& names) {
    for (const std::string& name : names) server.files[name] = {"rows of " + name};
  }

  void card(const std::string& header) {
    server.files["README.md"] = {"---\n" + header + "---\n# A set\n"};
  }

  std::vector<std::string> wanted() {
    Hub hub(options, nullptr, log);
    std::vector<std::string> names;
    for (const auto& file : fetch_dataset(hub, place_)) {
      names.push_back(file.lexically_relative(options.cache / "datasets--org--set/snapshots" /
                                              HubServer::kCommit)
                          .generic_string());
      EXPECT_EQ(bytes_of(file), "rows of " + names.back());
    }
    return names;
  }

  std::string error() {
    return error_of([&] { wanted(); });
  }

  DatasetPlace place_;
};

using Names = std::vector<std::string>;

TEST_F(DatasetTest, WithoutACardNamesTellTheSplits) {
  files({"data/train-00000-of-00002.parquet", "data/train-00001-of-00002.parquet",
         "data/test-00000-of-00001.parquet", "train.json", ".gitattributes"});
  EXPECT_EQ(wanted(),
            (Names{"data/train-00000-of-00002.parquet", "data/train-00001-of-00002.parquet"}));
  place_.split = "test";
  EXPECT_EQ(wanted(), (Names{"data/test-00000-of-00001.parquet"}));
}

TEST_F(DatasetTest, FoldersTellBeforeNames) {
  files({"train/test_a.jsonl", "dev/b.jsonl", "train.jsonl"});
  EXPECT_EQ(wanted(), (Names{"train/test_a.jsonl"}));
  place_.split = "validation";
  EXPECT_EQ(wanted(), (Names{"dev/b.jsonl"}));
}

TEST_F(DatasetTest, NamesTellByWholeWords) {
  files({"my-train-2.csv", "training_set.csv", "constrained.csv", "val.csv"});
  EXPECT_EQ(wanted(), (Names{"my-train-2.csv", "training_set.csv"}));
}

TEST_F(DatasetTest, EverythingIsTrainWhereNothingIsSaid) {
  files({"alpaca_data.json", "sub/more.json", "notes.csv", "README.md", "dataset_infos.json",
         "__pycache__/x.json", "image.png"});
  EXPECT_EQ(wanted(), (Names{"alpaca_data.json", "sub/more.json"}));
  EXPECT_EQ(server.count("notes.csv"), 0u);
}

TEST_F(DatasetTest, CardSaysWhichFiles) {
  files({"a/one.jsonl", "a/two.jsonl", "b/three.jsonl", "train.jsonl"});
  card(
      "configs:\n"
      "- config_name: first\n"
      "  data_files:\n"
      "  - split: train\n"
      "    path: a/*\n"
      "  - split: test\n"
      "    path:\n"
      "    - b/three.jsonl\n"
      "- config_name: second\n"
      "  default: true\n"
      "  data_files: \"b/*.jsonl\"\n");
  EXPECT_EQ(wanted(), (Names{"b/three.jsonl"}));
  place_.subset = "first";
  EXPECT_EQ(wanted(), (Names{"a/one.jsonl", "a/two.jsonl"}));
  place_.split = "test";
  EXPECT_EQ(wanted(), (Names{"b/three.jsonl"}));
}

TEST_F(DatasetTest, CardMayNameAFolder) {
  files({"en/train.json", "en/test.json", "zh/train.json"});
  card("configs:\n- config_name: en\n  data_dir: en\n- config_name: zh\n  data_dir: zh\n");
  place_.subset = "en";
  EXPECT_EQ(wanted(), (Names{"en/train.json"}));
  place_.subset = "zh";
  EXPECT_EQ(wanted(), (Names{"zh/train.json"}));
}

TEST_F(DatasetTest, FolderOfTheRegistryIsTheOnlyOneLookedAt) {
  files({"en/train.json", "zh/train.json"});
  place_.folder = "zh";
  EXPECT_EQ(wanted(), (Names{"zh/train.json"}));
}

TEST_F(DatasetTest, SubsetsAndSplitsThatAreNotThereAreNamedWithThoseThatAre) {
  files({"train.json", "test.json"});
  place_.split = "dev";
  EXPECT_EQ(error(),
            "split 'dev' of data set org/set\n  found: it has: test, train\n  to do: write "
            "one of them as 'split' in dataset_info.json");
  place_.split = "train";
  place_.subset = "en";
  EXPECT_NE(error().find("subset 'en' of data set org/set\n  found: its card names no subsets"),
            std::string::npos);
  card(
      "configs:\n- config_name: english\n  data_files: train.json\n"
      "- config_name: chinese\n  data_files: test.json\n");
  place_.subset = "englsh";
  EXPECT_NE(error().find("not among its subsets (did you mean 'english'?)\n  to do: write one of: "
                         "english, chinese"),
            std::string::npos)
      << error();
  place_.subset.reset();
  EXPECT_NE(error().find("several subsets, and none is the default: english, chinese"),
            std::string::npos);
}

TEST_F(DatasetTest, ScriptsAreNotRun) {
  files({"set.py", "image.png"});
  EXPECT_NE(error().find("a Python program that makes the records, which hone does not run"),
            std::string::npos);
  server.files.erase("set.py");
  EXPECT_NE(error().find("no files of JSON, JSONL, CSV, TXT, parquet or arrow"), std::string::npos);
}

TEST_F(DatasetTest, CardThatIsNoYamlIsNamed) {
  files({"train.json"});
  card("configs: [\n");
  EXPECT_NE(error().find("README.md"), std::string::npos);
  for (const char* text : {"# no header\n", "--- not closed\n", "", "---\n---\n"}) {
    options.cache = place / ("cache of " + sha256(text));
    server.files["README.md"] = {text};
    Hub hub(options, nullptr, log);
    EXPECT_EQ(fetch_dataset(hub, place_).size(), 1u) << text;
  }
}

TEST_F(DatasetTest, SetThatIsNotThereIsCalledOne) {
  place_.repository.id = "org/sett";
  EXPECT_NE(error().find("data set org/sett\n  found: no such data set on"), std::string::npos);
}

}  // namespace
}  // namespace hone::hub
