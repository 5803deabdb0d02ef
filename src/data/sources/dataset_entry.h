// One entry of dataset_info.json, understood.
//
// Keys, defaults and the reset rule are LLaMA-Factory's (@ ff6d4d12, data/parser.py): defaults hold
// only where the whole `columns` (or `tags`) object is absent; where it is given, what it does not
// name does not exist.
#pragma once

#include <cstdint>
#include <filesystem>
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

// Where the files of a set lie that is not on this machine; the first that there is counts, as
// LLaMA-Factory has it.
struct HubNames {
  std::optional<std::string> huggingface;  // hf_hub_url: "org/name"
  std::optional<std::string> modelscope;   // ms_hub_url
  std::optional<std::string> subset;
  std::string split = "train";
  std::optional<std::string> folder;
};

struct DatasetEntry {
  std::string name;
  // As written: a file or a folder, relative to the registry's folder. Of a set on a hub its name
  // there.
  std::string file_name;
  std::optional<HubNames> hub;                 // a set on a hub
  std::vector<std::filesystem::path> fetched;  // its files, once they are here
  Formatting formatting = Formatting::alpaca;
  Purpose purpose = Purpose::supervised;
  std::optional<std::int64_t> num_samples;  // drawn of the set's records, at least 1
  bool columns_given = false;
  ColumnNames columns;
  TagNames tags;
  std::vector<std::string> notes;  // for the user: keys that mean nothing
};

// Reads an entry for a purpose. `registry` names the file in error texts. Throws UserError with all
// that is wrong: what has the wrong kind, what hone does not do yet (media, scripts, ...),
// records of another purpose, and what could never give a record.
DatasetEntry read_dataset_entry(const std::string& name, const formats::Value& entry,
                                const std::string& registry, Purpose purpose = Purpose::supervised);

}  // namespace hone::data
