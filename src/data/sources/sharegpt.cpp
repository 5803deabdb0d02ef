#include <fmt/format.h>

#include "data/sources/conversation.h"
#include "data/sources/converters.h"
#include "formats/text_encoding.h"

namespace hone::data {
namespace {

using formats::Value;

class ConversationReader {
 public:
  ConversationReader(const DatasetEntry& entry, Record& record)
      : entry_(entry), tags_(entry.tags), record_(record) {}

  void read(const formats::Array& messages, const Value& value) {
    std::size_t first = 0;
    if (!messages.empty() && is_system(messages[0])) {
      const std::string* text = content(messages[0], 1);
      if (text == nullptr) return;
      record_.system = *text;
      first = 1;
    }
    std::vector<Message> turns;
    for (std::size_t i = first; i < messages.size(); ++i) {
      const auto role = role_at(messages[i], i + 1, (i - first) % 2 == 0);
      if (!role) return;
      const std::string* text = content(messages[i], i + 1);
      if (text == nullptr) return;
      turns.push_back({*role, *text});
    }
    settle_turns(std::move(turns), value, entry_, record_);
  }

 private:
  void flaw(std::string reason, std::string detail) {
    record_.flaw = {std::move(reason), std::move(detail)};
  }

  bool is_system(const Value& message) const {
    const Value* role = message.find(*tags_.role);
    return tags_.system && role != nullptr && role->is_string() && role->string() == *tags_.system;
  }

  // The text of a message; nullptr after a flaw. Messages are counted from 1.
  const std::string* content(const Value& message, std::size_t number) {
    const Value* found = message.find(*tags_.content);
    if (found != nullptr && found->is_string()) return &found->string();
    record_.flaw = not_text("with a message without text", *tags_.content, found);
    record_.flaw.detail = fmt::format("message {}: {}", number, record_.flaw.detail);
    return nullptr;
  }

  // The role of a message that must ask (or answer); nothing after a flaw.
  std::optional<Role> role_at(const Value& message, std::size_t number, bool asks) {
    const Value* found = message.find(*tags_.role);
    if (found == nullptr || !found->is_string()) {
      record_.flaw = message.is_object()
                         ? not_text("with a message without a role", *tags_.role, found)
                         : Flaw{"with a message without a role",
                                fmt::format("it is {}", describe(message.kind()))};
      record_.flaw.detail = fmt::format("message {}: {}", number, record_.flaw.detail);
      return std::nullopt;
    }
    const std::string& role = found->string();
    const std::optional<Role> known = role_named(tags_, role);
    const std::string shown = formats::printable(role);
    if (!known) {
      flaw("with an unknown role", fmt::format("message {} is from '{}'", number, shown));
      return std::nullopt;
    }
    const bool is_question = *known == Role::user || *known == Role::observation;
    if (*known == Role::system || is_question != asks) {
      flaw("with roles out of order",
           fmt::format("message {} is from '{}' where {} should be", number, shown,
                       asks ? "a question" : "an answer"));
      return std::nullopt;
    }
    return known;
  }

  const DatasetEntry& entry_;
  const TagNames& tags_;
  Record& record_;
};

}  // namespace

Record convert_sharegpt(const Value& value, const DatasetEntry& entry) {
  const ColumnNames& columns = entry.columns;
  Record record;
  if (!value.is_object()) {
    record.flaw = {"not an object", fmt::format("it is {}", describe(value.kind()))};
    return record;
  }
  record.system = optional_text(value, columns.system, record.flaw);
  record.tools = optional_text(value, columns.tools, record.flaw);
  if (record.flaw.present()) return record;
  if (const formats::Array* messages = find_messages(value, columns, record.flaw)) {
    ConversationReader(entry, record).read(*messages, value);
  }
  return record;
}

}  // namespace hone::data
