// Which tokens play which role, by their text; ids follow from the vocabulary.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hone::data {

struct SpecialTokens {
  std::optional<std::string> bos;
  std::optional<std::string> eos;
  std::optional<std::string> pad;
  std::optional<std::string> unk;
  std::vector<std::string> additional;
  // What the model's files say about adding BOS and EOS by themselves. Kept for the files that are
  // written; templates decide for themselves.
  bool add_bos = false;
  bool add_eos = false;
};

}  // namespace hone::data
