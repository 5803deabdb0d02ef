#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/sources/conversation.h"
#include "data/sources/converters.h"
#include "formats/json_writer.h"
#include "formats/text_encoding.h"

namespace hone::data {
namespace {

using formats::Value;

constexpr const char* kBetweenResults = "\n</tool_response>\n<tool_response>\n";
constexpr const char* kThinkingOff = "detailed thinking off";
constexpr const char* kThinkingOn = "detailed thinking on";

std::string json_text(const Value& value) {
  formats::PythonStyle style;
  style.ensure_ascii = false;
  return formats::dump_python(value, style);
}

// LLaMA-Factory's rewriting, which does not ask what the model is.
std::string rewritten_system(const std::string& system, bool tools) {
  if (system.empty()) return tools ? "" : kThinkingOff;
  if (tools) return system + "\n";
  const bool says = system.find(kThinkingOn) != std::string::npos ||
                    system.find(kThinkingOff) != std::string::npos;
  return says ? system : system + "\n" + kThinkingOff;
}

class MessageReader {
 public:
  MessageReader(const DatasetEntry& entry, Record& record)
      : entry_(entry), tags_(entry.tags), record_(record) {}

  void read(const formats::Array& messages, const Value& value) {
    std::size_t first = 0;
    if (!messages.empty() && tags_.system && role_text(messages[0]) == *tags_.system) {
      const std::optional<std::string> text = content(messages[0], 1);
      if (!text) return;
      record_.system = *text;
      first = 1;
    }
    for (std::size_t i = first; i < messages.size(); ++i) {
      if (!take(messages[i], i + 1)) return;
    }
    record_.lost_messages = static_cast<std::int64_t>(results_.size());
    if (!in_order()) return;
    settle_turns(std::move(turns_), value, entry_, record_);
  }

 private:
  bool flaw(std::string reason, std::string detail) {
    record_.flaw = {std::move(reason), std::move(detail)};
    return false;
  }

  std::optional<std::string> role_text(const Value& message) const {
    const Value* role = message.find(*tags_.role);
    if (role == nullptr || !role->is_string()) return std::nullopt;
    return role->string();
  }

  // Messages are counted from 1.
  std::optional<std::string> content(const Value& message, std::size_t number) {
    const Value* found = message.find(*tags_.content);
    if (found != nullptr && found->is_string()) return found->string();
    record_.flaw = not_text("with a message without text", *tags_.content, found);
    record_.flaw.detail = fmt::format("message {}: {}", number, record_.flaw.detail);
    return std::nullopt;
  }

  // The calls of a message as one JSON list; nothing when it has none, or after a flaw.
  std::optional<std::string> calls(const Value& message, std::size_t number) {
    const Value* found = message.find("tool_calls");
    const formats::Array* list = found == nullptr ? nullptr : found->get_array();
    if (list == nullptr || list->empty()) return std::nullopt;
    formats::Array functions;
    for (const Value& call : *list) {
      const Value* function = call.find("function");
      if (function == nullptr || !function->is_object()) {
        flaw("with a tool call without a function", fmt::format("message {}", number));
        return std::nullopt;
      }
      functions.push_back(*function);
    }
    return json_text(Value(std::move(functions)));
  }

  bool take(const Value& message, std::size_t number) {
    const std::optional<std::string> name = role_text(message);
    if (!name) {
      return flaw("with a message without a role",
                  fmt::format("message {}: '{}' is no text", number, *tags_.role));
    }
    std::optional<Role> role = role_named(tags_, *name);
    if (!role || *role == Role::system) {
      return flaw(role ? "with roles out of order" : "with an unknown role",
                  fmt::format("message {} is from '{}'", number, formats::printable(*name)));
    }
    std::optional<std::string> text;
    if (*role == Role::assistant || *role == Role::function) {
      text = calls(message, number);
      if (record_.flaw.present()) return false;
      if (text) role = Role::function;
    }
    if (!text) text = content(message, number);
    if (!text) return false;
    if (*role == Role::observation) {
      results_.push_back(std::move(*text));
      return true;
    }
    merge_results();
    turns_.push_back({*role, std::move(*text)});
    return true;
  }

  void merge_results() {
    if (results_.empty()) return;
    turns_.push_back({Role::observation, fmt::format("{}", fmt::join(results_, kBetweenResults))});
    results_.clear();
  }

  bool in_order() {
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      const bool question = turns_[i].role == Role::user || turns_[i].role == Role::observation;
      if (question == (i % 2 == 0)) continue;
      return flaw("with roles out of order", fmt::format("turn {} is {} where {} should be", i + 1,
                                                         question ? "a question" : "an answer",
                                                         question ? "an answer" : "a question"));
    }
    return true;
  }

  const DatasetEntry& entry_;
  const TagNames& tags_;
  Record& record_;
  std::vector<Message> turns_;
  std::vector<std::string> results_;  // of tools, waiting for what follows them
};

// Text, or a list or object of tools as JSON.
std::string tools_text(const Value& value, const std::optional<std::string>& column, Flaw& flaw) {
  const Value* found = column ? value.find(*column) : nullptr;
  if (found != nullptr && (found->is_array() || found->is_object())) return json_text(*found);
  return optional_text(value, column, flaw);
}

}  // namespace

Record convert_openai(const Value& value, const DatasetEntry& entry) {
  Record record;
  if (!value.is_object()) {
    record.flaw = {"not an object", fmt::format("it is {}", describe(value.kind()))};
    return record;
  }
  record.system = optional_text(value, entry.columns.system, record.flaw);
  record.tools = tools_text(value, entry.columns.tools, record.flaw);
  if (record.flaw.present()) return record;
  if (const formats::Array* messages = find_messages(value, entry.columns, record.flaw)) {
    MessageReader(entry, record).read(*messages, value);
  }
  record.system = rewritten_system(record.system, !record.tools.empty());
  return record;
}

}  // namespace hone::data
