// Trials of a model's tokenizer files.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "data/tokenizer/tokenizer.h"

namespace hone::data {

// A folder that files are read from, in memory where that is possible.
class TrialFolder {
 public:
  TrialFolder() {
    std::error_code error;
    const bool memory = std::filesystem::is_directory("/dev/shm", error);
    std::string pattern =
        (memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) /
        "hone_trial_XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for trials");
    path_ = pattern;
  }
  ~TrialFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;

  void put(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Ids and text of what a tokenizer may meet; UserError where it refuses a text.
inline std::vector<std::vector<TokenId>> trial_ids(const Tokenizer& tokenizer) {
  std::vector<std::vector<TokenId>> all;
  const std::string texts[] = {"", "Hello,  world\n\n 123abc",
                               "Grüße \xE4\xB8\xAD\xE6\x96\x87 \xF0\x9F\x98\x80\xE2\x80\x8D",
                               "<s>x</s> <|im_end|>", std::string(300, 'a') + std::string(40, ' ')};
  for (const std::string& text : texts) {
    for (const bool special : {false, true}) {
      all.push_back(tokenizer.encode(text, {.add_special_tokens = special}));
      tokenizer.decode(all.back(), special);
    }
  }
  tokenizer.decode({0, 1, 2, 3, 258, -1, 1 << 30}, false);
  return all;
}

// Read or refused; one that is read is saved so that it reads as itself.
inline bool try_tokenizer_file(const TrialFolder& first, std::string_view input, const char* name) {
  static const TrialFolder second;
  first.put(name, input);
  std::vector<std::vector<TokenId>> ids;
  std::vector<TokenizerFile> files;
  try {
    const Tokenizer tokenizer = Tokenizer::from_folder(first.path());
    ids = trial_ids(tokenizer);
    files = tokenizer.files();
  } catch (const UserError&) {
    return false;
  }
  for (const TokenizerFile& file : files) second.put(file.name, file.content);
  if (trial_ids(Tokenizer::from_folder(second.path())) != ids) {
    throw std::logic_error("what is saved gives other ids");
  }
  return true;
}

inline bool try_tokenizer_json(std::string_view input) {
  static const TrialFolder folder;
  return try_tokenizer_file(folder, input, "tokenizer.json");
}

inline bool try_sentencepiece(std::string_view input) {
  static const TrialFolder folder;
  return try_tokenizer_file(folder, input, "tokenizer.model");
}

}  // namespace hone::data
