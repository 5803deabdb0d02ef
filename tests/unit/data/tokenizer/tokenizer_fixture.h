// Small tokenizers for tests: B256, whose id of a byte is the byte, and changes to its files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "data/tokenizer/tokenizer.h"
#include "formats/value.h"

namespace hone::data {

using Edit = std::function<void(formats::Value& tokenizer, formats::Value& config)>;

// A folder that is gone at the end of the test.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path path_;
};

// ids 256..260: <|endoftext|> (eos), <|im_start|>, <|im_end|>, <|begin_of_text|> (bos), <|pad|>.
Tokenizer b256(const Edit& edit = {});

// A tokenizer.json of nothing but a BPE model.
Tokenizer bare_bpe(const std::string& tokenizer_json);

// The member of a value along a path of names; the value must have it.
formats::Value& at(formats::Value& value, const std::vector<std::string>& path);

// The ids of a text's bytes.
std::vector<TokenId> bytes_of(const std::string& text);

// The text of the UserError that `act` throws; a failure of the test when it throws none.
std::string refusal(const std::function<void()>& act);

}  // namespace hone::data
