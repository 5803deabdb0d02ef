#include "checkpoint/run_state.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/checksum.h"
#include "formats/json.h"
#include "unit/formats/expect_fault.h"
#include "unit/formats/temporary_folder.h"

namespace hone::checkpoint {
namespace {

using formats::Checksum;
using formats::expect_fault;

const std::filesystem::path kData = HONE_TEST_DATA;

RunState example() {
  RunState state;
  state.step = 10;
  state.optimizer_updates = 9;
  state.tokens_seen = 12345;
  state.facts = {42, 7, 1536, 10, "0123456789abcdef", {{"learning_rate", "0.001"}, {"a", "b"}}};
  state.trainable_elements = 896;
  state.trainable_layout = "fedcba9876543210";
  state.optimizer = {"first_moment", "second_moment"};
  state.files = {{"adapter_model.safetensors", {100, "00000000000000ff"}},
                 {"trainer_state.json", {3, "1111111111111111"}}};
  return state;
}

TEST(RunState, IsReadAsItWasWritten) {
  const RunState state = example();
  RunState read = parse_run_state(run_state_text(state), "hone_state.json");
  std::sort(read.facts.settings.begin(), read.facts.settings.end(), std::greater<>());
  EXPECT_EQ(read, state);
  RunState bare;
  EXPECT_EQ(parse_run_state(run_state_text(bare), "hone_state.json"), bare);
}

// Kept for as long as there is a reader: files of the first version are read for ever.
TEST(RunState, ReadsVersion1) {
  const std::string text = formats::TemporaryFolder::read(kData / "hone_state_1.json");
  EXPECT_EQ(run_state_text(example()), text);
  EXPECT_EQ(parse_run_state(text, "hone_state.json").files, example().files);
}

TEST(RunState, IgnoresKeysOfLaterWriters) {
  std::string text = run_state_text(example());
  text.insert(text.find("{") + 1, "\"later\": [1],");
  EXPECT_EQ(parse_run_state(text, "hone_state.json").step, 10);
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = run_state_text(example());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(RunState, RefusesWhatItCannotRead) {
  const auto parsing = [](const std::string& text) {
    return [text] { parse_run_state(text, "c/hone_state.json"); };
  };
  expect_fault(parsing(""), "c/hone_state.json", "empty");
  expect_fault(parsing("[]"), "c/hone_state.json", "a list");
  expect_fault(parsing("{}"), "format in c/hone_state.json", "no such key");
  expect_fault(parsing(with("hone checkpoint", "other")), "format in c/hone_state.json", "'other'",
               "use a checkpoint that hone wrote");
  expect_fault(parsing(with("\"version\": 1", "\"version\": 2")), "version in c/hone_state.json",
               "2, where this hone reads 1", "use the hone that wrote it");
  expect_fault(parsing(with("\"step\": 10", "\"step\": \"10\"")), "step in c/hone_state.json",
               "a string");
  expect_fault(parsing(with("\"bytes\": 100", "\"bytes\": -1")),
               "files.adapter_model.safetensors.bytes in c/hone_state.json", "-1");
  expect_fault(parsing(with("\"first_moment\"", "7")), "optimizer in c/hone_state.json",
               "a member that is not a name");
}

// Hostile or damaged: read or refused, never anything else.
TEST(RunState, SurvivesEveryChangedByte) {
  const std::string text = run_state_text(example());
  int refused = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char other : {'0', '-', '"', '}', '\xff'}) {
      std::string changed = text;
      changed[at] = other;
      try {
        parse_run_state(changed, "hone_state.json");
      } catch (const UserError&) {
        ++refused;
      }
    }
    if (at + 1 == text.size()) continue;  // only the line end is gone
    try {
      parse_run_state(text.substr(0, at), "hone_state.json");
      ADD_FAILURE() << "cut to " << at << " bytes, and read";
    } catch (const UserError&) {
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(Checksum, IsXxHash64) {
  const auto sum = [](std::string_view text) {
    Checksum checksum;
    checksum.add(text);
    return checksum.text();
  };
  EXPECT_EQ(sum(""), "ef46db3751d8e999");
  EXPECT_EQ(sum("a"), "d24ec4f1a98c6e5b");
  EXPECT_EQ(sum("abc"), "44bc2cf5ad770999");
  EXPECT_EQ(sum("Nobody inspects the spammish repetition"), "fbcea83c8a378bf1");
}

TEST(Checksum, DoesNotDependOnPieces) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>(i * 7);
  Checksum whole;
  whole.add(text);
  for (const std::size_t size : {1U, 3U, 31U, 32U, 33U, 64U, 999U}) {
    Checksum pieces;
    for (std::size_t at = 0; at < text.size(); at += size) {
      pieces.add(std::string_view(text).substr(at, size));
    }
    EXPECT_EQ(pieces.text(), whole.text()) << size;
    EXPECT_EQ(pieces.size_bytes(), text.size());
  }
}

TEST(Fingerprint, TellsDataSetsApart) {
  data::EncodedDataset one, same, other, moved;
  one.append({{1, 2, 3}, {-100, 2, 3}});
  same.append({{1, 2, 3}, {-100, 2, 3}});
  other.append({{1, 2, 3}, {-100, -100, 3}});
  moved.append({{1, 2}, {-100, 2}});
  moved.append({{3}, {3}});
  EXPECT_EQ(fingerprint_of(one), fingerprint_of(same));
  EXPECT_NE(fingerprint_of(one), fingerprint_of(other));
  EXPECT_NE(fingerprint_of(one), fingerprint_of(moved));
  EXPECT_EQ(fingerprint_of(one).size(), 16U);
}

}  // namespace
}  // namespace hone::checkpoint
