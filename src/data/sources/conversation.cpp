#include "data/sources/conversation.h"

#include <fmt/format.h>

#include "data/sources/converters.h"
#include "formats/text_encoding.h"

namespace hone::data {
namespace {

using formats::Value;

// One of the two answers of a pair, a message object; nothing after a flaw.
std::optional<Message> paired_answer(const Value& value, const std::string& column,
                                     const TagNames& tags, Flaw& flaw) {
  constexpr const char* kReason = "without a pair of answers";
  const Value* message = value.find(column);
  if (message == nullptr || !message->is_object()) {
    flaw = not_text(kReason, column, message);
    return std::nullopt;
  }
  const Value* content = message->find(*tags.content);
  if (content == nullptr || !content->is_string()) {
    flaw = not_text(kReason, column + "." + *tags.content, content);
    return std::nullopt;
  }
  const Value* role = message->find(*tags.role);
  const std::optional<Role> known =
      role != nullptr && role->is_string() ? role_named(tags, role->string()) : std::nullopt;
  if (!known) {
    flaw = {kReason, fmt::format("'{}' is from nobody known", formats::printable(column))};
    return std::nullopt;
  }
  return Message{*known, content->string()};
}

}  // namespace

const formats::Array* find_messages(const Value& value, const ColumnNames& columns, Flaw& flaw) {
  const Value* messages = value.find(*columns.messages);
  if (messages != nullptr && messages->is_array()) return &messages->array();
  const bool absent = messages == nullptr || messages->is_null();
  flaw = not_text(absent ? "without messages" : "with a value of the wrong kind", *columns.messages,
                  messages);
  return nullptr;
}

std::optional<Role> role_named(const TagNames& tags, const std::string& name) {
  if (name == tags.user) return Role::user;
  if (name == tags.assistant) return Role::assistant;
  if (name == tags.observation) return Role::observation;
  if (name == tags.function) return Role::function;
  if (name == tags.system) return Role::system;
  return std::nullopt;
}

void settle_judged(Message answer, const Value& value, const DatasetEntry& entry, Record& record) {
  const Value* judgement = value.find(*entry.columns.kto_tag);
  if (judgement == nullptr || judgement->kind() != Value::Kind::boolean) {
    record.flaw = not_text("not judged by true or false", *entry.columns.kto_tag, judgement);
    return;
  }
  record.response.push_back(std::move(answer));
  record.response.insert(judgement->boolean() ? record.response.end() : record.response.begin(),
                         Message{Role::assistant, ""});
}

void settle_turns(std::vector<Message> turns, const Value& value, const DatasetEntry& entry,
                  Record& record) {
  if (turns.empty()) {
    record.flaw = {"without messages", "the conversation is empty"};
    return;
  }
  const bool pairs = entry.purpose == Purpose::pairs;
  if (turns.size() % 2 != (pairs ? 1u : 0u)) {
    record.flaw = {pairs ? "with an even number of messages" : "with an odd number of messages",
                   fmt::format("{} messages, the last is {}", turns.size(),
                               pairs ? "not a question" : "not an answer")};
    return;
  }
  if (pairs) {
    for (const auto* column : {&entry.columns.chosen, &entry.columns.rejected}) {
      std::optional<Message> answer = paired_answer(value, **column, entry.tags, record.flaw);
      if (!answer) return;
      record.response.push_back(std::move(*answer));
    }
    record.prompt = std::move(turns);
    return;
  }
  Message answer = std::move(turns.back());
  turns.pop_back();
  record.prompt = std::move(turns);
  if (entry.purpose == Purpose::judged)
    return settle_judged(std::move(answer), value, entry, record);
  record.response.push_back(std::move(answer));
}

Record convert(const Value& value, const DatasetEntry& entry) {
  switch (entry.formatting) {
    case Formatting::alpaca:
      return convert_alpaca(value, entry);
    case Formatting::sharegpt:
      return convert_sharegpt(value, entry);
    case Formatting::openai:
      return convert_openai(value, entry);
  }
  return {};
}

}  // namespace hone::data
