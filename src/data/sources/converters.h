// From a JSON value to the standard record: LLaMA-Factory's converters (@ ff6d4d12,
// data/converter.py), rule by rule. A value that they would crash on gives a flaw here.
#pragma once

#include <optional>
#include <string>

#include "data/sources/dataset_entry.h"
#include "data/sources/record.h"
#include "formats/value.h"

namespace hone::data {

// History pairs, then one question (prompt and query joined by a line end; both empty: the question
// is empty and the record stays), then the answer or answers, which must be texts.
Record convert_alpaca(const formats::Value& value, const DatasetEntry& entry);

// A list of messages. A first message from `system` is the system text and wins over the column;
// then come question and answer by turns: user or observation, assistant or function call.
Record convert_sharegpt(const formats::Value& value, const DatasetEntry& entry);

// The same with what OpenAI's messages have besides: `tool_calls` become a function call, tool
// results one after another become one, `tools` may be a list, and the system text is rewritten
// (LLaMA-Factory adds "detailed thinking off" for every model).
Record convert_openai(const formats::Value& value, const DatasetEntry& entry);

// By the entry's formatting.
Record convert(const formats::Value& value, const DatasetEntry& entry);

// What all do: the text of a column that may be absent or null (then empty). Another kind of value
// is a flaw.
std::string optional_text(const formats::Value& value, const std::optional<std::string>& column,
                          Flaw& flaw);

// The flaw of a member that should be text: missing, null, or of another kind.
Flaw not_text(const std::string& reason, const std::string& name, const formats::Value* found);

// The answer, and an empty one after it when it is wanted, before it when it is not. A flaw when
// the record does not say which.
void settle_judged(Message answer, const formats::Value& value, const DatasetEntry& entry,
                   Record& record);

}  // namespace hone::data
