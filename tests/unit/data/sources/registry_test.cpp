#include "data/sources/registry.h"

#include "formats/json.h"
#include "unit/data/sources/source_fixture.h"

namespace hone::data {
namespace {

using Lines = std::vector<std::string>;

class Registry : public SourceTest {
 protected:
  // Everything after "found:" in the refusal of an entry.
  std::string refused(const std::string& entry) {
    write_set("[]", entry);
    return refusal();
  }
  void expect_refused(const std::string& entry, const std::string& found) {
    const std::string text = refused(entry);
    EXPECT_NE(text.find("  found: " + found), std::string::npos) << text;
    EXPECT_EQ(text.rfind("data set 'd' of DIR/dataset_info.json\n", 0), 0u) << text;
    EXPECT_NE(text.find("\n  to do: "), std::string::npos) << text;
  }
};

TEST_F(Registry, UndefinedDataSetListsTheOthers) {
  write("dataset_info.json", R"({"alpaca_en":{"file_name":"a.json"},"glaive":{"file_name":"g"}})");
  options.datasets = {"alpaca_em"};
  EXPECT_EQ(refusal(),
            "dataset: alpaca_em\n"
            "  found: not defined in DIR/dataset_info.json (did you mean 'alpaca_en'?)\n"
            "  to do: choose one that is defined (alpaca_en, glaive), or add it there");
}

TEST_F(Registry, LongListsAreCut) {
  std::string entries = "\"set0\":{}";
  for (int i = 1; i < 40; ++i) {
    entries.append(",\"set").append(std::to_string(i)).append("\":{}");
  }
  write("dataset_info.json", "{" + entries + "}");
  EXPECT_NE(refusal().find("set29 and 10 more"), std::string::npos);
}

TEST_F(Registry, WithoutTheFile) {
  EXPECT_EQ(
      refusal().find("dataset_dir: DIR\n  found: no file DIR/dataset_info.json\n  to do: give "
                     "the folder that holds dataset_info.json"),
      0u);
  write("dataset_info.json", "[]");
  EXPECT_NE(refusal().find("found: a list"), std::string::npos);
  write("dataset_info.json", "{");
  EXPECT_NE(refusal().find("DIR/dataset_info.json"), std::string::npos);
  options.dataset_dir = "REMOTE:someone/registry";
  EXPECT_NE(refusal().find("a registry on a hub, which was not fetched"), std::string::npos);
  options.dataset_dir = "ONLINE";
  options.datasets = {"someone/set"};
  EXPECT_NE(refusal().find("data set 'someone/set': someone/set\n  found: a data set on a hub, "
                           "which was not fetched"),
            std::string::npos);
}

TEST_F(Registry, WhatIsNotThereYetIsRefusedInWords) {
  expect_refused(R"({"om_hub_url":"a/b"})", "'om_hub_url': the Modelers hub is not asked");
  expect_refused(R"({"hf_hub_url":"a/b","split":"train[:10]"})",
                 "'split' is 'train[:10]': split expressions are not supported yet");
  expect_refused(R"({"hf_hub_url":7})", "'hf_hub_url' is a whole number");
  expect_refused(R"({"script_url":"x"})", "'script_url': loading scripts");
  expect_refused(R"({"cloud_file_name":"s3://x"})", "'cloud_file_name': files in cloud storage");
  expect_refused(R"({"file_name":"d.json","subset":"x"})", "'subset' is not supported yet");
  expect_refused(R"({"file_name":"d.json","folder":"x"})", "'folder' is not supported yet");
  expect_refused(R"({"file_name":"d.json","num_samples":0})",
                 "'num_samples' is not a whole number from 1 on");
  expect_refused(R"({"file_name":"d.json","num_samples":"all"})",
                 "'num_samples' is not a whole number from 1 on");
  expect_refused(R"({"file_name":"d.json","split":"test"})", "'split' is 'test'");
  expect_refused(R"({"file_name":"d.json","ranking":true})", "'ranking' is set");
  expect_refused(R"({"file_name":"d.json","ranking":"yes"})", "'ranking' is a string");
  for (const char* column : {"images", "videos", "audios", "kto_tag"}) {
    expect_refused(
        R"({"file_name":"d.json","columns":{"response":"r",")" + std::string(column) + R"(":"x"}})",
        "'columns." + std::string(column) + "'");
  }
}

TEST_F(Registry, SetsOfAnotherPurpose) {
  expect_refused(R"({"file_name":"d.json","ranking":true})",
                 "'ranking' is set: the records are pairs of answers, and stage sft trains on "
                 "single answers");
  options.purpose = Purpose::pretraining;
  expect_refused(R"({"file_name":"d.json","ranking":true})",
                 "'ranking' is set: the records are pairs of answers, and stage pt trains on "
                 "single texts");
  expect_refused(R"({"file_name":"d.json","columns":{"response":"a"}})",
                 "'columns' names no 'prompt'");
  options.purpose = Purpose::pairs;
  expect_refused(R"({"file_name":"d.json"})", "'ranking' is not set");
  expect_refused(R"({"file_name":"d.json","ranking":true})",
                 "'columns' names no 'chosen' and 'rejected'");
  options.purpose = Purpose::judged;
  expect_refused(R"({"file_name":"d.json"})", "'columns' names no 'kto_tag'");
}

TEST_F(Registry, WrongKindsAndWhatCouldNeverWork) {
  expect_refused("5", "a whole number");
  expect_refused("{}", "no 'file_name'");
  expect_refused(R"({"file_name":["d"]})", "'file_name' is a list");
  expect_refused(R"({"file_name":"d.json","formatting":"sharegtp"})",
                 "'formatting' is 'sharegtp' (did you mean 'sharegpt'?)");
  expect_refused(R"({"file_name":"d.json","columns":"q"})", "'columns' is a string");
  expect_refused(R"({"file_name":"d.json","columns":{"prompt":3,"response":"a"}})",
                 "'columns.prompt' is a whole number");
  expect_refused(R"({"file_name":"d.json","columns":{"prompt":"q"}})",
                 "'columns' names no 'response'");
  expect_refused(R"({"file_name":"d.json","formatting":"sharegpt","columns":{"prompt":"q"}})",
                 "'columns' names no 'messages'");
  expect_refused(R"({"file_name":"d.json","formatting":"sharegpt","tags":{"role_tag":"role"}})",
                 "'tags' names no 'content_tag'");
  expect_refused(R"({"file_name":"d.json","formatting":"sharegpt","tags":[]})", "'tags' is a list");
}

TEST_F(Registry, NullsAndDefaultsAreNothing) {
  write_set(R"([{"instruction":"a","input":"","output":"A"}])",
            R"({"file_name":"d.json","split":"train","ranking":false,"subset":null,
                "hf_hub_url":null,"columns":null,"tags":null})");
  EXPECT_EQ(load().training.size(), 1u);
  EXPECT_TRUE(log.lines.empty());
}

TEST_F(Registry, UnknownKeysAreTold) {
  write_set(R"([{"q":"a","a":"A"}])",
            R"({"file_name":"d.json","formating":"alpaca",
                "columns":{"prompt":"q","response":"a","promt":"x"}})");
  load();
  ASSERT_EQ(log.lines.size(), 2u);
  EXPECT_EQ(shortened(log.lines[0]),
            "warning: data set 'd' of DIR/dataset_info.json: 'formating' is not a known key and is "
            "ignored (did you mean 'formatting'?)");
  EXPECT_NE(log.lines[1].find("'columns.promt' is not a known key"), std::string::npos);
}

TEST(HubEntry, SaysWhereItsFilesLie) {
  const auto read = [](const char* entry) {
    return read_dataset_entry("d", formats::parse_json(entry, "registry"), "registry");
  };
  const DatasetEntry both = read(R"({"hf_hub_url":"a/b","ms_hub_url":"c/d","file_name":"x.json",
      "subset":"en","folder":"v2","split":"test"})");
  ASSERT_TRUE(both.hub.has_value());
  EXPECT_EQ(both.hub->huggingface, "a/b");
  EXPECT_EQ(both.hub->modelscope, "c/d");
  EXPECT_EQ(both.hub->subset, "en");
  EXPECT_EQ(both.hub->folder, "v2");
  EXPECT_EQ(both.hub->split, "test");
  EXPECT_EQ(both.file_name, "a/b");
  const DatasetEntry one = read(R"({"ms_hub_url":"c/d"})");
  EXPECT_EQ(one.file_name, "c/d");
  EXPECT_EQ(one.hub->split, "train");
  EXPECT_FALSE(read(R"({"file_name":"x.json","hf_hub_url":null})").hub.has_value());
}

TEST_F(Registry, FilesThatWereFetchedAreRead) {
  write("dataset_info.json", R"({"d":{"hf_hub_url":"a/b"}})");
  write("somewhere.json", R"([{"instruction":"q","input":"","output":"a"}])");
  options.datasets = {"d"};
  options.fetched = {{"d", {std::filesystem::path(options.dataset_dir) / "somewhere.json"}}};
  EXPECT_EQ(load().training.size(), 1u);
  options.fetched["d"] = {"/no/name.with_type"};
  EXPECT_NE(refusal().find("the name does not end in .json"), std::string::npos);
}

TEST_F(Registry, FaultsOfAllSetsComeTogether) {
  write("dataset_info.json", R"({"a":{"file_name":"none.json"},"b":{"hf_hub_url":"x"}})");
  options.datasets = {"a", "b", "c"};
  const std::string text = refusal();
  EXPECT_NE(text.find("no file DIR/none.json"), std::string::npos) << text;
  EXPECT_NE(text.find("data set 'b': x\n  found: a data set on a hub, which was not fetched"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("dataset: c"), std::string::npos) << text;
}

}  // namespace
}  // namespace hone::data
