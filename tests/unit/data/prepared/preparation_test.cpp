// Whole preparations with the tokenizer of data/b256 (id of byte b is b, EOS 256) and template
// `empty`, by which a record is its question, its answer and nothing else.
#include "data/prepared/preparation.h"

#include <filesystem>

#include "data/prepared/tokenized_folder.h"
#include "data/templates/registry.h"
#include "unit/data/sources/source_fixture.h"
#include "unit/formats/expect_fault.h"
#include "unit/formats/temporary_folder.h"

namespace hone::data {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

class Preparation : public testing::Test {
 protected:
  Preparation() : tokenizer(Tokenizer::from_folder(HONE_TEST_DATA "/b256")) {
    options.dataset_dir = place.path() / "data";
    options.datasets = {"d"};
    options.cache.folder = place.path() / "cache" / "hone";
  }

  void write_set(const std::string& records, const std::string& entry = "") {
    const std::string more = entry.empty() ? "" : "," + entry;
    place.write("data/dataset_info.json", "{\"d\":{\"file_name\":\"d.json\"" + more + "}}");
    place.write("data/d.json", records);
  }

  // Questions prefix0, prefix1, ... with the answer "a".
  static std::string records(const std::string& prefix, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += "{\"instruction\":\"" + prefix + std::to_string(i) +
              "\",\"input\":\"\",\"output\":\"a\"}\n";
    }
    return text;
  }

  PreparedData prepare() { return prepare_data(options, chat, tokenizer, log); }

  Lines texts(const EncodedRecords& records) const {
    Lines lines;
    for (std::int64_t i = 0; i < records.dataset.records(); ++i) {
      const auto ids = records.dataset.tokens(i);
      lines.push_back(tokenizer.decode({ids.begin(), ids.end()}, false));
    }
    return lines;
  }

  std::vector<fs::path> cached() const {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(options.cache.folder)) {
      folders.push_back(entry.path());
    }
    std::sort(folders.begin(), folders.end());
    return folders;
  }

  formats::TemporaryFolder place;
  Tokenizer tokenizer;
  Template chat{find_template("empty"), {}};
  PreparationOptions options;
  KeptLog log;
};

TEST_F(Preparation, ASecondStartTakesTheRowsFromTheCache) {
  write_set(records("q", 3) + R"({"instruction":"x","output":null})");
  const PreparedData first = prepare();
  EXPECT_EQ(first.sets_from_cache, 0);
  EXPECT_EQ(texts(first.training), (Lines{"q0a", "q1a", "q2a"}));
  const Lines said = log.lines;
  EXPECT_FALSE(said.empty());
  log.lines.clear();
  const PreparedData second = prepare();
  EXPECT_EQ(second.sets_from_cache, 1);
  EXPECT_EQ(texts(second.training), texts(first.training));
  EXPECT_EQ(log.lines, said);
  EXPECT_EQ(second.files, (Lines{"d.json"}));
  EXPECT_EQ(second.training.origins[2].number, 3);
  EXPECT_EQ(second.largest_id, 'q');
  ASSERT_EQ(cached().size(), 1u);
  // What does not change ids does not change the key.
  options.val_size = 0.5;
  options.seed = 7;
  options.threads = 3;
  EXPECT_EQ(prepare().sets_from_cache, 1);
}

TEST_F(Preparation, WhatChangesIdsMakesAnotherKey) {
  write_set(records("q", 3));
  prepare();
  const auto prepared_anew = [&] { return prepare().sets_from_cache == 0; };
  options.encoding.cutoff_len = 2;
  EXPECT_TRUE(prepared_anew());
  options.encoding = {};
  options.encoding.train_on_prompt = true;
  EXPECT_TRUE(prepared_anew());
  options.encoding = {};
  options.max_samples = 2;
  EXPECT_TRUE(prepared_anew());
  options.max_samples.reset();
  options.tokenizer_identity = "another";
  EXPECT_TRUE(prepared_anew());
  options.tokenizer_identity.clear();
  chat = Template(find_template("default"), {});
  EXPECT_TRUE(prepared_anew());
  chat = Template(find_template("empty"), {});
  write_set(records("q", 3), R"("columns":{"prompt":"instruction","response":"output"})");
  EXPECT_TRUE(prepared_anew());
  write_set(records("p", 3));
  EXPECT_TRUE(prepared_anew());
  write_set(records("q", 3));
  EXPECT_FALSE(prepared_anew());
  options.cache.overwrite = true;
  EXPECT_TRUE(prepared_anew());
}

TEST_F(Preparation, BrokenFilesOfTheCacheAreMadeAnewWithANote) {
  write_set(records("q", 3));
  prepare();
  const fs::path folder = cached().at(0);
  const auto spoil = [&](const char* file, const std::string& content) {
    std::ofstream(folder / file, std::ios::binary) << content;
    log.lines.clear();
    const PreparedData again = prepare();
    EXPECT_EQ(again.sets_from_cache, 0) << file;
    EXPECT_EQ(texts(again.training), (Lines{"q0a", "q1a", "q2a"}));
    ASSERT_EQ(log.lines.size(), 1u) << file;
    EXPECT_NE(log.lines[0].find("are made anew: "), std::string::npos) << log.lines[0];
    EXPECT_EQ(prepare().sets_from_cache, 1);
  };
  spoil("about.json", "{");
  spoil("about.json", "{}");
  spoil("about.json", R"({"format":2})");
  spoil("about.json", R"({"format":1,"key":"another"})");
  spoil("rows.bin", std::string(64 * 3, 'x'));
  spoil("rows.bin", "");
  spoil("ids.bin", std::string(18 * 4, 'x'));
  spoil("ids.bin", "short");
  fs::remove(folder / "ids.bin");
  EXPECT_EQ(prepare().sets_from_cache, 0);
}

TEST_F(Preparation, NothingIsLeftOfAPreparationThatFails) {
  write_set(records("q", 3) + "{\"instruction\"");
  EXPECT_THROW(prepare(), UserError);
  EXPECT_TRUE(cached().empty());
}

TEST_F(Preparation, WithoutACacheRowsStayInMemory) {
  write_set(records("q", 2));
  options.cache.folder = place.write("file", "x") / "below";
  EXPECT_EQ(texts(prepare().training), (Lines{"q0a", "q1a"}));
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_EQ(log.lines[0].rfind("warning: prepared records are not kept for the next run: ", 0), 0u)
      << log.lines[0];
  options.cache.folder.clear();
  log.lines.clear();
  EXPECT_EQ(texts(prepare().training), (Lines{"q0a", "q1a"}));
  EXPECT_TRUE(log.lines.empty());
}

TEST_F(Preparation, LeavingsOfAKilledRunGoAfterADay) {
  write_set(records("q", 1));
  const fs::path old = options.cache.folder / "0123.1.0.partial";
  const fs::path fresh = options.cache.folder / "0123.2.0.partial";
  fs::create_directories(old);
  fs::create_directories(fresh);
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(25));
  prepare();
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
}

TEST_F(Preparation, SamplesThenTheFirstThenTheSplit) {
  write_set(records("q", 10), R"("num_samples":6)");
  // numpy.random.seed(42): permutation(10) is 8 1 5 0 7 2 9 4 3 6.
  EXPECT_EQ(texts(prepare().training), (Lines{"q8a", "q1a", "q5a", "q0a", "q7a", "q2a"}));
  options.max_samples = 4;
  EXPECT_EQ(texts(prepare().training), (Lines{"q8a", "q1a", "q5a", "q0a"}));
  write_set(records("q", 2), R"("num_samples":4)");
  options.max_samples.reset();
  EXPECT_EQ(texts(prepare().training).size(), 4u);
}

TEST_F(Preparation, SetsAreMixed) {
  place.write("data/dataset_info.json",
              R"({"a":{"file_name":"a.json"},"b":{"file_name":"b.json"}})");
  place.write("data/a.json", records("a", 3));
  place.write("data/b.json", records("b", 2));
  options.datasets = {"b", "a", "b"};
  options.mix = MixStrategy::interleave_under;
  EXPECT_EQ(texts(prepare().training), (Lines{"b0a", "a0a", "b1a", "a1a"}));
  EXPECT_EQ(log.lines, (Lines{"data set 'b' is listed twice; it is loaded once"}));
  options.probabilities = {0.5, 0.2, 0.3};
  formats::expect_fault([&] { prepare(); }, "interleave_probs", "3 shares for 2 data sets",
                        "one share for each data set");
}

TEST_F(Preparation, ASplitThatLeavesNothing) {
  write_set(records("q", 1) + R"({"instruction":"x","output":null})");
  options.val_size = 0.5;
  options.seed = 0;  // numpy's permutation of two records with seed 0 is 1, 0
  formats::expect_fault([&] { prepare(); }, "val_size: 0.5", "no valid record is left to train on",
                        "set another val_size");
}

TEST_F(Preparation, FaultsOfAllSetsBeforeAnyIsRead) {
  place.write("data/dataset_info.json",
              R"({"a":{"file_name":"none.json"},"d":{"file_name":"d.json"}})");
  place.write("data/d.json", "broken");
  options.datasets = {"d", "a", "c"};
  try {
    prepare();
    FAIL() << "not refused";
  } catch (const UserError& error) {
    EXPECT_EQ(error.faults().size(), 2u) << error.what();
  }
}

TEST_F(Preparation, TextsInBlocks) {
  options.purpose = Purpose::pretraining;
  options.packing = true;
  options.encoding.cutoff_len = 4;
  place.write("data/dataset_info.json",
              R"({"d":{"file_name":"d.txt","columns":{"prompt":"text"}}})");
  place.write("data/d.txt", "abc\nde\nfghij\n");
  const PreparedData data = prepare();
  EXPECT_EQ(texts(data.training), (Lines{"abc<|endoftext|>", "de<|endoftext|>f", "ghij"}));
  EXPECT_EQ(log.lines, (Lines{"training: 3 records in 3 packs of up to 4 tokens",
                              "training: 1 tokens at the ends of batches fill no block and are "
                              "left out"}));
  log.lines.clear();
  EXPECT_EQ(texts(prepare().training), texts(data.training));
  EXPECT_EQ(log.lines.size(), 2u);
  EXPECT_EQ(cached().size(), 2u);
  options.encoding.cutoff_len = 50;
  formats::expect_fault([&] { prepare(); }, "the training data",
                        "13 tokens in all, where a block takes 50", "smaller cutoff_len");
  options.packing = false;
  options.encoding.cutoff_len = 3;
  EXPECT_EQ(texts(prepare().training), (Lines{"abc", "de<|endoftext|>", "fgh"}));
}

TEST_F(Preparation, TextsBeginWithBosWhereTheTokenizerSaysSo) {
  const fs::path folder = place.path() / "tokenizer";
  fs::create_directories(folder);
  fs::copy_file(HONE_TEST_DATA "/b256/tokenizer.json", folder / "tokenizer.json");
  place.write("tokenizer/tokenizer_config.json",
              R"({"bos_token":"<|begin_of_text|>","eos_token":"<|endoftext|>","pad_token":
                  "<|endoftext|>","add_bos_token":true})");
  tokenizer = Tokenizer::from_folder(folder);
  options.purpose = Purpose::pretraining;
  options.encoding.cutoff_len = 4;
  place.write("data/dataset_info.json",
              R"({"d":{"file_name":"d.txt","columns":{"prompt":"text"}}})");
  place.write("data/d.txt", "abc\nde\nfghij\n");
  const PreparedData single = prepare();
  EXPECT_EQ(
      texts(single.training),
      (Lines{"<|begin_of_text|>abc", "<|begin_of_text|>de<|endoftext|>", "<|begin_of_text|>fgh"}));
  // The pad token is EOS: it is not learned.
  EXPECT_EQ(single.training.dataset.labels(1)[3], kIgnoreLabel);
  EXPECT_EQ(single.training.report.cut_tokens, 4);
  options.packing = true;
  EXPECT_EQ(texts(prepare().training),
            (Lines{"<|begin_of_text|>bc<|endoftext|>", "<|begin_of_text|>e<|endoftext|>f",
                   "<|begin_of_text|>hij"}));
}

TEST_F(Preparation, AStreamIsReadAsFarAsItIsNeeded) {
  // A fault that lies further in the file is never met.
  write_set(records("q", 4) + R"({"instruction":"x","output":null})" + "\n" + records("r", 9) +
            "{");
  options.stream_records = 4;
  options.buffer_rows = 4;
  options.val_size = 2;
  const PreparedData data = prepare();
  // The rows are q0 ... q3, x, r0 ... r5; of twelve, 0 3 2 1 7 5 4 come first.
  ASSERT_EQ(data.evaluations.size(), 1u);
  EXPECT_EQ(texts(data.evaluations[0].records), (Lines{"q0a", "q3a"}));
  const Lines training = texts(data.training);
  ASSERT_GE(training.size(), 4u);
  EXPECT_EQ(Lines(training.begin(), training.begin() + 4), (Lines{"q2a", "q1a", "r2a", "r0a"}));
  EXPECT_EQ(log.lines[0], "warning: d.json: 1 of 11 dropped");
  EXPECT_EQ(prepare().sets_from_cache, 1);
  options.stream_records = 40;
  EXPECT_THROW(prepare(), UserError);
}

TEST_F(Preparation, APackedStreamIsReadUntilItsPacksAreFull) {
  // The reader takes 4096 rows at a time: a fault further on is never met.
  write_set(records("q", 9000) + "{");
  options.stream_records = 3;
  options.buffer_rows = 4;
  options.packing = true;
  options.encoding.cutoff_len = 40;
  options.packing_batch = 5;
  const Lines packs = texts(prepare().training);
  ASSERT_GE(packs.size(), 3u);
  // The stream comes in the order 0 3 2 1 7 ..., five rows a pack; of equal lengths the later
  // first.
  EXPECT_EQ(packs[0], "q7aq1aq2aq3aq0a");
  // More rows than needed change nothing of what is trained on.
  options.stream_records = 300;
  const Lines more = texts(prepare().training);
  EXPECT_EQ(Lines(more.begin(), more.begin() + 3), Lines(packs.begin(), packs.begin() + 3));
  EXPECT_EQ(prepare().sets_from_cache, 2);  // its rows, and its packs
  options.stream_records = 9000;
  EXPECT_THROW(prepare(), UserError);
}

TEST_F(Preparation, StreamsByTurns) {
  place.write("data/dataset_info.json",
              R"({"d":{"file_name":"d.json"},"e":{"file_name":"e.json"}})");
  place.write("data/d.json", records("d", 50) + "{");
  place.write("data/e.json", records("e", 3));
  options.datasets = {"d", "e"};
  options.mix = MixStrategy::interleave_over;
  options.stream_records = 8;
  options.buffer_rows = 1;
  const Lines rows = texts(prepare().training);
  ASSERT_GE(rows.size(), 8u);
  EXPECT_EQ(Lines(rows.begin(), rows.begin() + 8),
            (Lines{"d0a", "e0a", "d1a", "e1a", "d2a", "e2a", "d3a", "e0a"}));
}

TEST_F(Preparation, SetsThatAreEvaluatedOneByOne) {
  place.write("data/dataset_info.json", R"({"d":{"file_name":"d.json"},"e":{"file_name":"e.json"},)"
                                        R"("f/.. %g":{"file_name":"f.json"}})");
  for (const char* name : {"d", "e", "f"}) {
    place.write(std::string("data/") + name + ".json", records(name, 2));
  }
  options.eval_datasets = {"f/.. %g", "e", "e"};
  const auto parts = [this](const PreparedData& data) {
    std::vector<std::pair<std::string, Lines>> named;
    for (const NamedRecords& part : data.evaluations) {
      named.emplace_back(part.name, texts(part.records));
    }
    return named;
  };
  using Parts = decltype(parts(PreparedData()));
  EXPECT_EQ(parts(prepare()), (Parts{{"", {"f0a", "f1a", "e0a", "e1a"}}}));
  options.evaluate_each = true;
  const PreparedData data = prepare();
  EXPECT_EQ(parts(data), (Parts{{"f/.. %g", {"f0a", "f1a"}}, {"e", {"e0a", "e1a"}}}));
  // In the user's folder they have a folder each, and come back by name.
  formats::PosixFileSystem system;
  const fs::path folder = place.path() / "kept";
  save_tokenized(system, folder, data);
  EXPECT_TRUE(fs::is_directory(folder / "validation_e"));
  EXPECT_TRUE(fs::is_directory(folder / "validation_f%2F..%20%25g"));
  EXPECT_EQ(parts(load_tokenized(folder)),
            (Parts{{"e", {"e0a", "e1a"}}, {"f/.. %g", {"f0a", "f1a"}}}));
  // Without anything to train on.
  options.datasets.clear();
  EXPECT_EQ(prepare().training.dataset.records(), 0);
  EXPECT_EQ(parts(prepare()).size(), 2u);
}

TEST_F(Preparation, AnUnknownSetIsNamedByItsSetting) {
  write_set(records("q", 2));
  options.datasets = {"dd"};
  options.eval_datasets = {"ee"};
  try {
    prepare();
    FAIL() << "nothing was refused";
  } catch (const UserError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("dataset: dd\n  found: not defined in ", 0), 0u) << text;
    EXPECT_NE(text.find("\neval_dataset: ee\n  found: not defined in "), std::string::npos) << text;
  }
}

TEST_F(Preparation, PacksOfRecords) {
  write_set(records("q", 5));
  options.packing = true;
  options.apart = true;
  options.encoding.cutoff_len = 7;
  PreparedData data = prepare();
  EXPECT_EQ(texts(data.training), (Lines{"q4aq3a", "q2aq1a", "q0a"}));
  EXPECT_EQ(data.training.dataset.size(0).sequences, 2);
  EXPECT_EQ(data.training.origins[1].number, 3);
  options.packing_batch = 3;
  EXPECT_EQ(texts(prepare().training), (Lines{"q2aq1a", "q0a", "q4aq3a"}));
}

TEST_F(Preparation, KeptInAFolderOfTheUsers) {
  write_set(records("q", 6));
  options.val_size = 2;
  options.packing = true;
  options.apart = true;
  options.encoding.cutoff_len = 7;
  const PreparedData data = prepare();
  formats::PosixFileSystem system;
  const fs::path folder = place.path() / "kept" / "here";
  EXPECT_FALSE(has_tokenized(folder));
  save_tokenized(system, folder, data);
  EXPECT_TRUE(has_tokenized(folder));
  const PreparedData loaded = load_tokenized(folder);
  EXPECT_EQ(texts(loaded.training), texts(data.training));
  ASSERT_EQ(loaded.evaluations.size(), 1u);
  EXPECT_EQ(loaded.evaluations[0].name, "");
  EXPECT_EQ(texts(loaded.evaluations[0].records), texts(data.evaluations.at(0).records));
  EXPECT_EQ(loaded.training.dataset.size(0).sequences, 2);
  EXPECT_EQ(loaded.training.dataset.checksum(0), data.training.dataset.checksum(0));
  EXPECT_EQ(loaded.largest_id, data.largest_id);
  EXPECT_EQ(loaded.files, data.files);

  fs::create_directories(place.path() / "odd");
  RowsFolderWriter writer(system, place.path() / "odd" / "train");
  EncodedRow row = make_row({{5, -7}, {kIgnoreLabel, 5}});
  writer.add(row);
  RowsAbout about;
  about.files = {"d.json"};
  writer.finish(about, "");
  formats::expect_fault([&] { load_tokenized(place.path() / "odd"); }, "prepared records in ",
                        "row 1 holds -7, which is no token id", "prepare the records again");

  const fs::path foreign = place.write("arrow/dataset_dict.json", "{}").parent_path();
  EXPECT_TRUE(has_tokenized(foreign));
  formats::expect_fault([&] { load_tokenized(foreign); },
                        "tokenized_path: ", "not a folder of records that hone prepared",
                        "LLaMA-Factory wrote");
  std::ofstream(folder / "train" / "ids.bin") << "x";
  formats::expect_fault([&] { load_tokenized(folder); }, "prepared records in ",
                        "shorter or longer than it was written", "remove the folder");
}

TEST_F(Preparation, AChangeUnderARunningRunIsSeen) {
  write_set(records("q", 2));
  prepare();
  const PreparedData data = prepare();
  const fs::path file = cached().at(0) / "ids.bin";
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).write("zzzz", 4);
  formats::expect_fault([&] { data.training.dataset.check(0); }, "read prepared record 1",
                        "was changed after it was prepared", "overwrite_cache: true");
  EXPECT_NO_THROW(data.training.dataset.check(1));
}

}  // namespace
}  // namespace hone::data
