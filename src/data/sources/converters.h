// From a JSON value to the standard record: LLaMA-Factory's converters (@ ff6d4d12,
// data/converter.py), rule by rule. A value that they would crash on gives a flaw here.
#pragma once

#include "data/sources/dataset_entry.h"
#include "data/sources/record.h"
#include "formats/value.h"

namespace hone::data {

// History pairs, then one question (prompt and query joined by a line end; both empty: the question
// is empty and the record stays), then one answer, which must be text.
Record convert_alpaca(const formats::Value& value, const ColumnNames& columns);

// A list of messages. A first message from `system` is the system text and wins over the column;
// then come question and answer by turns: user or observation, assistant or function call.
Record convert_sharegpt(const formats::Value& value, const ColumnNames& columns,
                        const TagNames& tags);

// What both do: the text of a column that may be absent or null (then empty). Another kind of value
// is a flaw.
std::string optional_text(const formats::Value& value, const std::optional<std::string>& column,
                          Flaw& flaw);

// The flaw of a member that should be text: missing, null, or of another kind.
Flaw not_text(const std::string& reason, const std::string& name, const formats::Value* found);

}  // namespace hone::data
