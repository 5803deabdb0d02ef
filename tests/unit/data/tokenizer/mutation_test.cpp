// Tokenizer files, damaged: read so that what is saved is the same, or refused, never anything
// else.
#include <filesystem>

#include "formats/whole_file.h"
#include "fuzz/mutations.h"
#include "fuzz/tokenizer_trials.h"

namespace hone::data {
namespace {

// The fuzzer's own beginnings, all of a kind.
std::vector<std::string> corpus_of(const char* kind) {
  std::vector<std::string> seeds;
  const auto folder = std::filesystem::path(HONE_SOURCE_ROOT "/tests/fuzz/corpus") / kind;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) seeds.push_back(formats::read_whole_file(file, 1 << 20));
  return seeds;
}

TEST(Mutations, OfTokenizerJson) {
  const std::vector<std::string> pieces = {
      "\"type\":",   "null",    "true", "-1",      "0",     "1e9",           "[",
      "]",           "{",       "}",    ",",       "\"a\"", "\"Metaspace\"", "\\u0000",
      "\"Unigram\"", "\"BPE\"", "(",    "\\\\p{L}"};
  fuzz::expect_both(fuzz::run(try_tokenizer_json, corpus_of("tokenizer_json"), pieces, 3000));
}

TEST(Mutations, OfSentencePieceModels) {
  const std::vector<std::string> pieces = {std::string(1, '\0'), "\x7F",  "\x80\x01",
                                           "\xFF\xFF\xFF\xFF",   "\x0A",  "\x15",
                                           "\x18\x06",           "<unk>", "\xE2\x96\x81"};
  fuzz::expect_both(fuzz::run(try_sentencepiece, corpus_of("sentencepiece"), pieces, 3000));
}

}  // namespace
}  // namespace hone::data
