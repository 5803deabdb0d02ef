#include "formats/columnar.h"
#include "unit/data/sources/source_fixture.h"

namespace hone::data {
namespace {

using Lines = std::vector<std::string>;

class LoadRecords : public SourceTest {
 protected:
  // `count` records whose questions are prefix0, prefix1, ...
  static std::string records(const std::string& prefix, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += "{\"instruction\":\"" + prefix + std::to_string(i) +
              "\",\"input\":\"\",\"output\":\"a\"}\n";
    }
    return text;
  }
  static Lines questions(const std::vector<Record>& records) {
    Lines lines;
    for (const Record& record : records) lines.push_back(record.prompt.back().content);
    return lines;
  }
};

TEST_F(LoadRecords, SetsInTheOrderOfListingEachCut) {
  write("dataset_info.json",
        R"({"a":{"file_name":"a.jsonl"},"b":{"file_name":"b.json"},"c":{"file_name":"c.json"}})");
  write("a.jsonl", records("a", 3));
  write("b.json", records("b", 3));
  write("c.json", records("c", 1));
  options.datasets = {"b", "a"};
  options.eval_datasets = {"c"};
  options.max_samples = 2;
  const LoadedRecords loaded = load();
  EXPECT_EQ(questions(loaded.training), (Lines{"b0", "b1", "a0", "a1"}));
  EXPECT_EQ(questions(loaded.evaluation), (Lines{"c0"}));
  EXPECT_EQ(loaded.files, (Lines{"b.json", "a.jsonl", "c.json"}));
  EXPECT_EQ(loaded.training[2].origin.file, 1);
  EXPECT_EQ(loaded.evaluation[0].origin.file, 2);
  EXPECT_TRUE(log.lines.empty());
}

TEST_F(LoadRecords, FolderInTheOrderOfNames) {
  write("dataset_info.json", R"({"d":{"file_name":"parts"}})");
  write("parts/b.json", records("b", 1) + R"({"instruction":"x","output":1})");
  write("parts/a.jsonl", records("a", 2));
  write("parts/.hidden", "x");
  const LoadedRecords loaded = load();
  EXPECT_EQ(questions(loaded.training), (Lines{"a0", "a1", "b0"}));
  EXPECT_EQ(loaded.files, (Lines{"parts/a.jsonl", "parts/b.json"}));
  EXPECT_EQ(log.lines.back(),
            "warning:   1 without an answer text: b.json record 2 (line 2): 'output' is a whole "
            "number");
}

TEST_F(LoadRecords, AbsoluteFileName) {
  write("elsewhere/data.json", records("a", 1));
  write("dataset_info.json",
        "{\"d\":{\"file_name\":\"" +
            std::filesystem::absolute(folder / "elsewhere/data.json").string() + "\"}}");
  EXPECT_EQ(load().training.size(), 1u);
}

TEST_F(LoadRecords, FilesThatAreNotRead) {
  const auto refused = [&](const std::string& name) {
    write("dataset_info.json", "{\"d\":{\"file_name\":\"" + name + "\"}}");
    return refusal();
  };
  EXPECT_EQ(refused("none.json"),
            "data set 'd': none.json\n"
            "  found: no file DIR/none.json\n"
            "  to do: correct file_name in dataset_info.json, or put the file there");
  for (const std::string type : {"parquet", "arrow"}) {
    if (formats::reads_columnar_files()) break;
    write("d." + type, "x");
    const std::string text = refused("d." + type);
    EXPECT_NE(text.find(type + " files need Apache Arrow, which this hone was built without\n"
                               "  to do: build with ./run build --arrow, or convert"),
              std::string::npos)
        << text;
  }
  write("d.xlsx", "x");
  EXPECT_NE(
      refused("d.xlsx").find("DIR/d.xlsx: the name does not end in .json, .jsonl, .csv, .txt, "
                             ".parquet or .arrow"),
      std::string::npos);
  std::filesystem::create_directories(folder / "empty");
  EXPECT_NE(refused("empty").find("no files in DIR/empty"), std::string::npos);
  write("nested/sub/a.json", "[]");
  EXPECT_NE(refused("nested").find("DIR/nested/sub is a folder inside"), std::string::npos);
  write("mixed/a.json", records("a", 1));
  write("mixed/b.csv", "x");
  EXPECT_NE(refused("mixed").find("files of several types in DIR/mixed: a.json and b.csv"),
            std::string::npos);
}

TEST_F(LoadRecords, CsvRows) {
  write("dataset_info.json",
        R"({"d":{"file_name":"d.csv","columns":{"prompt":"q","response":"a"}}})");
  write("d.csv", "q,extra,a\r\n\"two\nlines, \"\"said\"\"\",,5\r\n\r\nb,x,\r\nc,x,C");
  const LoadedRecords loaded = load();
  EXPECT_EQ(questions(loaded.training), (Lines{"two\nlines, \"said\"", "c"}));
  EXPECT_EQ(loaded.training[0].response[0].content, "5");
  EXPECT_EQ(log.lines, (Lines{"warning: d.csv: 1 of 3 dropped",
                              "warning:   1 without an answer text: record 2 (line 5): 'a' is "
                              "null"}));
}

TEST_F(LoadRecords, TextLinesForPretraining) {
  options.purpose = Purpose::pretraining;
  write("dataset_info.json", R"({"d":{"file_name":"t","columns":{"prompt":"text"}}})");
  write("t/a.txt", "\xEF\xBB\xBFone\r\n\ntwo");
  write("t/b.txt", "three\n");
  const LoadedRecords loaded = load();
  EXPECT_EQ(questions(loaded.training), (Lines{"one", "", "two", "three"}));
  EXPECT_TRUE(loaded.training[0].response.empty());
  EXPECT_EQ(loaded.training[2].origin.line, 3);
}

TEST_F(LoadRecords, TinyValSizeIsNone) {
  write_set(records("r", 3));
  options.val_size = 1e-9;
  const LoadedRecords loaded = load();
  EXPECT_EQ(questions(loaded.training), (Lines{"r0", "r1", "r2"}));
  EXPECT_TRUE(loaded.evaluation.empty());
}

TEST_F(LoadRecords, NoRecords) {
  write_set("[]");
  EXPECT_EQ(refusal(),
            "data set 'd': d.json\n"
            "  found: no records\n"
            "  to do: put records into the file, or choose another set");
  write_set("");
  EXPECT_NE(refusal().find("no records"), std::string::npos);
}

// The order is numpy's default_rng(42).permutation(10) = 5 6 0 7 3 2 4 9 1 8.
TEST_F(LoadRecords, SplitTakesNumpysPermutation) {
  write_set(records("r", 10));
  options.val_size = 0.25;  // ceil(2.5) = 3
  LoadedRecords loaded = load();
  EXPECT_EQ(questions(loaded.evaluation), (Lines{"r5", "r6", "r0"}));
  EXPECT_EQ(questions(loaded.training), (Lines{"r7", "r3", "r2", "r4", "r9", "r1", "r8"}));
  options.val_size = 2;
  loaded = load();
  EXPECT_EQ(questions(loaded.evaluation), (Lines{"r5", "r6"}));
}

// Records that are dropped take part in max_samples and in the split, as in LLaMA-Factory.
TEST_F(LoadRecords, DroppedRecordsCountBeforeTheSplit) {
  write_set(records("r", 6) + R"({"instruction":"r6","output":null})" + "\n" + records("s", 5));
  options.max_samples = 10;
  options.val_size = 3;
  const LoadedRecords loaded = load();
  EXPECT_EQ(questions(loaded.evaluation), (Lines{"r5", "r0"}));  // 5, 6, 0: the middle one dropped
  EXPECT_EQ(questions(loaded.training), (Lines{"s0", "r3", "r2", "r4", "s2", "r1", "s1"}));
}

TEST_F(LoadRecords, SplitsThatLeaveNothing) {
  write_set(records("r", 2));
  const auto refused = [&](double val_size) {
    options.val_size = val_size;
    return refusal();
  };
  EXPECT_EQ(refused(1.0),
            "val_size: 1\n"
            "  found: it reads as a fraction that leaves nothing to train on\n"
            "  to do: give a fraction below 1, or a number of records from 2 on");
  EXPECT_NE(refused(2.5).find("neither a fraction below 1 nor a whole number"), std::string::npos);
  EXPECT_NE(refused(2).find("2 of 2 records would be set aside"), std::string::npos);
  EXPECT_NE(refused(0.9).find("2 of 2 records would be set aside"), std::string::npos);
  options.seed = -1;
  EXPECT_NE(refused(0.5).find("seed: -1"), std::string::npos);
}

TEST(EvaluationRecords, Thresholds) {
  EXPECT_EQ(evaluation_records(0.0, 10), 0);
  EXPECT_EQ(evaluation_records(1e-6, 10), 0);
  EXPECT_EQ(evaluation_records(2e-6, 10), 1);
  EXPECT_EQ(evaluation_records(0.1, 1000), 100);
  EXPECT_EQ(evaluation_records(9, 10), 9);
}

}  // namespace
}  // namespace hone::data
