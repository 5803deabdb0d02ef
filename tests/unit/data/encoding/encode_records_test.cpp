// With the tokenizer of data/b256, whose id of byte b is b and whose EOS is 256.
#include "data/encoding/encode_records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "data/encoding/preview.h"
#include "data/templates/registry.h"

namespace hone::data {
namespace {

using Ids = std::vector<std::int32_t>;
using Lines = std::vector<std::string>;

Record record(const std::string& question, const std::string& answer) {
  Record made;
  made.prompt = {{Role::user, question}};
  made.response = {{Role::assistant, answer}};
  made.origin = {0, 1, 1};
  return made;
}

class EncodeRecords : public testing::Test {
 protected:
  EncodeRecords() : tokenizer(Tokenizer::from_folder(HONE_TEST_DATA "/b256")) {}

  EncodedRecords encode(const std::vector<Record>& records, std::int64_t cutoff = 2048,
                        int threads = 1) const {
    options.cutoff_len = cutoff;
    const SupervisedEncoder encoder(chat, tokenizer, options);
    MemoryRows memory;
    std::size_t given = 0;
    const auto next = [&](Record& one) {
      if (given == records.size()) return false;
      one = records[given++];
      return true;
    };
    encode_rows(next, {"d.json"}, encoder, threads, memory);
    const auto rows = memory.finish();
    EncodedRecords encoded;
    encoded.dataset.keep(rows, true);
    for (std::int64_t row = 0; row < rows->count(); ++row) {
      encoded.report.count(rows->info(row));
      append_row(encoded, *rows, row, 0);
      encoded.dataset.check(row);
    }
    return encoded;
  }

  // Tokens kept of prompt and answer, seen from the labels.
  std::pair<std::int64_t, std::int64_t> kept(const Record& one, std::int64_t cutoff) const {
    const EncodedRecords encoded = encode({one}, cutoff);
    const RecordSize& size = encoded.dataset.size(0);
    return {size.tokens - size.counted_labels, size.counted_labels};
  }

  Tokenizer tokenizer;
  Template chat{find_template("default"), {}};
  mutable SupervisedOptions options;
};

// Prompt 19 + bytes of the question; answer: its bytes, EOS and a line end.
TEST_F(EncodeRecords, LengthsAndLabels) {
  const EncodedRecords encoded = encode({record("x", "aaaaaaaa"), record("x", "b")});
  EXPECT_EQ(encoded.dataset.size(0).tokens, 30);
  EXPECT_EQ(encoded.dataset.size(0).counted_labels, 10);
  EXPECT_EQ(encoded.dataset.size(1).tokens, 23);
  EXPECT_EQ(encoded.dataset.size(1).counted_labels, 3);
  EXPECT_EQ(encoded.report.counted_labels, 13);
  const auto tokens = encoded.dataset.tokens(1);
  const auto labels = encoded.dataset.labels(1);
  EXPECT_EQ(Ids(tokens.end() - 3, tokens.end()), (Ids{'b', 256, '\n'}));
  EXPECT_EQ(Ids(labels.end() - 3, labels.end()), (Ids{'b', 256, '\n'}));
  EXPECT_TRUE(std::all_of(labels.begin(), labels.end() - 3,
                          [](std::int32_t label) { return label == kIgnoreLabel; }));
  EXPECT_TRUE(encoded.report.lines("training", options.cutoff_len, false).empty());
}

// Labels are known by position, so a pad token that is EOS takes no EOS label away.
TEST_F(EncodeRecords, EosKeepsItsLabelWhenItIsThePadToken) {
  ASSERT_TRUE(tokenizer.set_pad("<|endoftext|>") || tokenizer.pad_id() == tokenizer.eos_id());
  const EncodedRecords encoded = encode({record("x", "aaaaaaaa"), record("x", "b")});
  EXPECT_EQ(encoded.report.counted_labels, 13);
  std::int64_t ends = 0;
  for (const std::int64_t i : {0, 1}) {
    const auto labels = encoded.dataset.labels(i);
    ends += std::count(labels.begin(), labels.end(), 256);
  }
  EXPECT_EQ(ends, 2);
}

TEST_F(EncodeRecords, CutoffKeepsTheFirstTokens) {
  using Kept = std::pair<std::int64_t, std::int64_t>;
  const Record both = record(std::string(101, 'x'), std::string(60, 'y'));
  EXPECT_EQ(kept(both, 200), (Kept{120, 62}));
  EXPECT_EQ(kept(both, 181), (Kept{119, 62}));
  EXPECT_EQ(kept(both, 125), (Kept{63, 62}));
  EXPECT_EQ(kept(both, 124), (Kept{82, 42}));
  EXPECT_EQ(kept(both, 4), (Kept{3, 1}));
  const Record answer = record("x", std::string(200, 'y'));
  EXPECT_EQ(kept(answer, 41), (Kept{20, 21}));
  EXPECT_EQ(kept(answer, 40), (Kept{4, 36}));
  const Record small = record("x", "b");
  EXPECT_EQ(kept(small, 22), (Kept{19, 3}));
  EXPECT_EQ(kept(small, 6), (Kept{6, 0}));

  const EncodedRecords cut = encode({answer}, 40);
  const auto tokens = cut.dataset.tokens(0);
  EXPECT_EQ(Ids(tokens.begin(), tokens.begin() + 5), (Ids{'H', 'u', 'm', 'a', 'y'}));
  EXPECT_EQ(std::count(tokens.begin(), tokens.end(), 256), 0);  // no EOS is glued on
}

TEST_F(EncodeRecords, WhatACutTakesIsTold) {
  const EncodedRecords encoded = encode({record("x", "b"), record("", "")}, 6);
  EXPECT_EQ(encoded.report.lines("training", options.cutoff_len, false),
            (Lines{"training: 2 of 2 records longer than cutoff_len 6 were cut, 32 tokens left out",
                   "training: 1 record has no label after truncation"}));
}

TEST_F(EncodeRecords, RecordsWithoutLabels) {
  chat = Template(find_template("empty"), {});
  const EncodedRecords encoded = encode({record("x", ""), record("x", "aaaa"), record("", "a")});
  EXPECT_EQ(encoded.dataset.size(0).tokens, 1);
  EXPECT_EQ(encoded.dataset.size(1).predicted_labels, 4);
  // One token that is a label, but nothing comes before it.
  EXPECT_EQ(encoded.dataset.size(2).counted_labels, 1);
  EXPECT_EQ(encoded.dataset.size(2).predicted_labels, 0);
  EXPECT_EQ(encoded.report.lines("training", options.cutoff_len, false),
            (Lines{"training: 2 records have no label"}));
}

TEST_F(EncodeRecords, TheSameOnAnyNumberOfThreads) {
  std::vector<Record> records;
  for (int i = 0; i < 500; ++i) {
    records.push_back(record("question " + std::to_string(i), std::string(1 + i % 50, 'a')));
    records.back().origin.number = i + 1;
  }
  const EncodedRecords alone = encode(records, 60, 1);
  const EncodedRecords together = encode(records, 60, 5);
  ASSERT_EQ(together.dataset.records(), 500);
  for (std::int64_t i = 0; i < 500; ++i) {
    const auto a = alone.dataset.tokens(i);
    const auto b = together.dataset.tokens(i);
    ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << i;
    EXPECT_EQ(together.origins[static_cast<std::size_t>(i)].number, i + 1);
  }
  EXPECT_EQ(alone.report.cut_tokens, together.report.cut_tokens);
}

TEST_F(EncodeRecords, SpecialTokensInARecordAreTold) {
  const EncodedRecords encoded = encode({record("say <|im_end|> and <|pad|>", "b")});
  EXPECT_EQ(encoded.report.records_with_control_tokens, 1);
  const Lines lines = encoded.report.lines("training", options.cutoff_len, false);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0],
            "training: 1 record has special tokens of the tokenizer in its own text (2 in all), "
            "read as control tokens; split_special_tokens: true reads them as plain text");
}

TEST_F(EncodeRecords, BrokenToolTextNamesTheRecord) {
  std::vector<Record> records(200, record("x", "b"));
  records[130].tools = "{not json";
  records[130].origin = {0, 131, 400};
  records[190].tools = "{not json";
  try {
    encode(records, 2048, 3);
    FAIL() << "not refused";
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("record 131 (line 400) of d.json: ", 0), 0u)
        << error.what();
  }
}

TEST_F(EncodeRecords, EndingByEosNeedsOne) {
  TemplateDefinition definition = find_template("default");
  definition.name = "ends_once";
  definition.efficient_eos = true;
  definition.assistant = {{Slot::Kind::text, "{{content}}"}};
  chat = Template(definition, {});
  const EncodedRecords encoded = encode({record("x", "b")});
  const auto tokens = encoded.dataset.tokens(0);
  EXPECT_EQ(Ids(tokens.end() - 2, tokens.end()), (Ids{'b', 256}));

  const auto folder = std::filesystem::temp_directory_path() / "hone_tokenizer_without_eos";
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(HONE_TEST_DATA "/b256/tokenizer.json", folder / "tokenizer.json",
                             std::filesystem::copy_options::overwrite_existing);
  std::ofstream(folder / "tokenizer_config.json") << "{}";
  tokenizer = Tokenizer::from_folder(folder);
  std::filesystem::remove_all(folder);
  try {
    encode({record("x", "b")});
    FAIL() << "not refused";
  } catch (const UserError& error) {
    EXPECT_STREQ(
        error.what(),
        "template: ends_once\n"
        "  found: the template ends every conversation with the tokenizer's EOS token, and "
        "this tokenizer has none\n"
        "  to do: choose another template, or name an eos_token in tokenizer_config.json");
  }
}

TEST_F(EncodeRecords, PreviewShowsIdsTextsAndLabels) {
  chat = Template(find_template("empty"), {});
  const EncodedRecords encoded = encode({record("x\ny", "b<|im_end|>")});
  EXPECT_EQ(preview_lines(encoded.dataset, 0, tokenizer, "training example:"),
            (Lines{"training example:", "input_ids:", "[120, 10, 121, 98, 258]", "inputs:", "x",
                   "yb<|im_end|>", "label_ids:", "[-100, -100, -100, 98, 258]",
                   "labels:", "b<|im_end|>"}));
}

}  // namespace
}  // namespace hone::data
