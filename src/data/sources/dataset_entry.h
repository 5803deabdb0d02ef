// One entry of dataset_info.json, understood.
//
// Keys, defaults and the reset rule are LLaMA-Factory's (@ ff6d4d12, data/parser.py): defaults hold
// only where the whole `columns` (or `tags`) object is absent; where it is given, what it does not
// name does not exist.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "formats/value.h"

namespace hone::data {

enum class Formatting { alpaca, sharegpt, openai };

// What the records are for: it decides which columns must be there and what an answer is.
enum class Purpose {
  supervised,   // one answer
  pretraining,  // the first text alone
  pairs,        // a better and a worse answer (DPO, reward models)
  judged        // an answer and whether it is wanted (KTO)
};

// Names of record members; nothing: there is no such column.
struct ColumnNames {
  std::optional<std::string> prompt = "instruction";
  std::optional<std::string> query = "input";
  std::optional<std::string> response = "output";
  std::optional<std::string> history;
  std::optional<std::string> messages = "conversations";
  std::optional<std::string> system;
  std::optional<std::string> tools;
  std::optional<std::string> chosen;
  std::optional<std::string> rejected;
  std::optional<std::string> kto_tag;
};

// Names in a sharegpt message, and the values of its role member.
struct TagNames {
  std::optional<std::string> role = "from";
  std::optional<std::string> content = "value";
  std::optional<std::string> user = "human";
  std::optional<std::string> assistant = "gpt";
  std::optional<std::string> observation = "observation";
  std::optional<std::string> function = "function_call";
  std::optional<std::string> system = "system";
};

struct DatasetEntry {
  std::string name;
  std::string file_name;  // as written: a file or a folder, relative to the registry's folder
  Formatting formatting = Formatting::alpaca;
  Purpose purpose = Purpose::supervised;
  std::optional<std::int64_t> num_samples;  // drawn of the set's records, at least 1
  bool columns_given = false;
  ColumnNames columns;
  TagNames tags;
  std::vector<std::string> notes;  // for the user: keys that mean nothing
};

// Reads an entry for a purpose. `registry` names the file in error texts. Throws UserError with all
// that is wrong: what has the wrong kind, what hone does not do yet (hub data sets, media, ...),
// records of another purpose, and what could never give a record.
DatasetEntry read_dataset_entry(const std::string& name, const formats::Value& entry,
                                const std::string& registry, Purpose purpose = Purpose::supervised);

}  // namespace hone::data
