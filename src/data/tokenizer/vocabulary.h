// The tokens of a model, by text and by id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hone::data {

class Vocabulary {
 public:
  using Entry = std::pair<std::string, std::int64_t>;  // token, id

  // What two ids for one text mean: a fault of the file, or (Unigram, whose ids are places in a
  // list) that the last one is the text's id.
  enum class Repeated { refused, last };

  // UserError for ids out of range or used twice; `where` names the file.
  Vocabulary(std::vector<Entry> tokens, Repeated repeated, std::string_view where);

  std::optional<std::int32_t> id(std::string_view token) const;
  // nullptr for an id without a token.
  const std::string* text(std::int32_t id) const;

  std::size_t texts() const { return ids_.size(); }       // different ones
  std::size_t id_limit() const { return texts_.size(); }  // one above the largest id

 private:
  std::vector<std::unique_ptr<const std::string>> texts_;   // by id; null where there is no token
  std::unordered_map<std::string_view, std::int32_t> ids_;  // views into texts_
};

// The tokens `<0x00>` to `<0xFF>` of vocabularies that spell unknown characters as their bytes.
class ByteTokens {
 public:
  explicit ByteTokens(const Vocabulary& vocabulary);

  // Appends the ids of the bytes; appends nothing and returns false when one has no token.
  bool append(std::string_view bytes, std::vector<std::int32_t>& ids) const;
  bool complete() const { return complete_; }  // whether every byte has its token

 private:
  std::vector<std::optional<std::int32_t>> ids_;  // 256
  bool complete_ = true;
};

}  // namespace hone::data
