#include "data/tokenizer/vocabulary.h"

#include <fmt/format.h>

#include "base/error.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

constexpr std::string_view kRemedy =
    "the file is damaged or made by hand: take the tokenizer file that came with the model";

// Ids may have holes, but not so many that a made-up id makes the tables huge.
constexpr std::int64_t kIdsPerToken = 4;
constexpr std::int64_t kSpareIds = 65536;

[[noreturn]] void refuse(std::string_view where, std::string_view token, std::string found) {
  throw UserError(
      {fmt::format("{}: token '{}' of the vocabulary", where, formats::printable(token)),
       std::move(found), std::string(kRemedy)});
}

}  // namespace

Vocabulary::Vocabulary(std::vector<Entry> tokens, Repeated repeated, std::string_view where) {
  const std::int64_t limit = kIdsPerToken * static_cast<std::int64_t>(tokens.size()) + kSpareIds;
  ids_.reserve(tokens.size());
  for (auto& [text, id] : tokens) {
    if (id < 0 || id >= limit) refuse(where, text, fmt::format("its id {} is out of range", id));
    const auto index = static_cast<std::size_t>(id);
    if (index >= texts_.size()) texts_.resize(index + 1);
    if (texts_[index] != nullptr) {
      refuse(where, text, fmt::format("its id {} belongs to '{}' already", id, *texts_[index]));
    }
    texts_[index] = std::make_unique<const std::string>(std::move(text));
    const auto [entry, fresh] = ids_.emplace(*texts_[index], static_cast<std::int32_t>(id));
    if (fresh) continue;
    if (repeated == Repeated::refused) refuse(where, *texts_[index], "it is there twice");
    entry->second = static_cast<std::int32_t>(id);
  }
}

std::optional<std::int32_t> Vocabulary::id(std::string_view token) const {
  const auto found = ids_.find(token);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

const std::string* Vocabulary::text(std::int32_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= texts_.size()) return nullptr;
  return texts_[static_cast<std::size_t>(id)].get();
}

ByteTokens::ByteTokens(const Vocabulary& vocabulary) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    ids_.push_back(vocabulary.id(fmt::format("<0x{:02X}>", byte)));
    complete_ = complete_ && ids_.back().has_value();
  }
}

bool ByteTokens::append(std::string_view bytes, std::vector<std::int32_t>& ids) const {
  const std::size_t before = ids.size();
  for (const char byte : bytes) {
    const std::optional<std::int32_t>& id = ids_[static_cast<unsigned char>(byte)];
    if (!id) {
      ids.resize(before);
      return false;
    }
    ids.push_back(*id);
  }
  return true;
}

}  // namespace hone::data
