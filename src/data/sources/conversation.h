// What the readers of conversations (sharegpt, openai) share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/sources/dataset_entry.h"
#include "data/sources/record.h"
#include "formats/value.h"

namespace hone::data {

// The list of messages; nullptr after a flaw.
const formats::Array* find_messages(const formats::Value& value, const ColumnNames& columns,
                                    Flaw& flaw);

// The role that a tag names; nothing for an unknown one.
std::optional<Role> role_named(const TagNames& tags, const std::string& name);

// Turns that start with a question and alternate become prompt and answer, or (pairs) prompt alone
// with the answers of the columns `chosen` and `rejected`. A flaw where their number does not fit.
void settle_turns(std::vector<Message> turns, const formats::Value& value,
                  const DatasetEntry& entry, Record& record);

}  // namespace hone::data
