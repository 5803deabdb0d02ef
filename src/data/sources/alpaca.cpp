#include <fmt/format.h>

#include "data/sources/converters.h"

namespace hone::data {
namespace {

using formats::Value;

constexpr const char* kWrongKind = "with a value of the wrong kind";

// Pairs of earlier questions and answers.
void append_history(const Value& value, const std::string& column, Record& record) {
  const Value* history = value.find(column);
  if (history == nullptr || history->is_null()) return;
  if (!history->is_array()) {
    record.flaw = {kWrongKind, fmt::format("'{}' is {}", column, describe(history->kind()))};
    return;
  }
  std::size_t turn = 0;
  for (const Value& pair : history->array()) {
    ++turn;
    const formats::Array* texts = pair.get_array();
    if (texts == nullptr || texts->size() != 2 || !(*texts)[0].is_string() ||
        !(*texts)[1].is_string()) {
      record.flaw = {kWrongKind, fmt::format("'{}': turn {} is not a pair of texts", column, turn)};
      return;
    }
    record.prompt.push_back({Role::user, (*texts)[0].string()});
    record.prompt.push_back({Role::assistant, (*texts)[1].string()});
  }
}

void settle_pair(const Value& value, const ColumnNames& columns, Record& record) {
  for (const auto* column : {&columns.chosen, &columns.rejected}) {
    const Value* answer = value.find(**column);
    if (answer == nullptr || !answer->is_string()) {
      record.flaw = not_text("without a pair of answers", **column, answer);
      record.response.clear();
      return;
    }
    record.response.push_back({Role::assistant, answer->string()});
  }
}

}  // namespace

Flaw not_text(const std::string& reason, const std::string& name, const Value* found) {
  const std::string_view kind = found == nullptr ? "missing" : describe(found->kind());
  return {reason, fmt::format("'{}' is {}", name, kind)};
}

std::string optional_text(const Value& value, const std::optional<std::string>& column,
                          Flaw& flaw) {
  if (!column) return {};
  const Value* found = value.find(*column);
  if (found == nullptr || found->is_null()) return {};
  if (const std::string* text = found->get_string()) return *text;
  if (!flaw.present()) flaw = not_text(kWrongKind, *column, found);
  return {};
}

Record convert_alpaca(const Value& value, const DatasetEntry& entry) {
  const ColumnNames& columns = entry.columns;
  Record record;
  if (!value.is_object()) {
    record.flaw = {"not an object", fmt::format("it is {}", describe(value.kind()))};
    return record;
  }
  if (columns.history) append_history(value, *columns.history, record);

  std::string question = optional_text(value, columns.prompt, record.flaw);
  const std::string query = optional_text(value, columns.query, record.flaw);
  if (!question.empty() && !query.empty()) question += '\n';
  question += query;
  record.prompt.push_back({Role::user, std::move(question)});

  record.system = optional_text(value, columns.system, record.flaw);
  record.tools = optional_text(value, columns.tools, record.flaw);
  if (record.flaw.present() || entry.purpose == Purpose::pretraining) return record;
  if (entry.purpose == Purpose::pairs) {
    settle_pair(value, columns, record);
    return record;
  }
  const Value* answer = value.find(*columns.response);
  if (answer == nullptr || !answer->is_string()) {
    record.flaw = not_text("without an answer text", *columns.response, answer);
  } else if (entry.purpose == Purpose::judged) {
    settle_judged({Role::assistant, answer->string()}, value, entry, record);
  } else {
    record.response.push_back({Role::assistant, answer->string()});
  }
  return record;
}

}  // namespace hone::data
