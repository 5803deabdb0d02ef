#include "data/sources/dataset_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/nearest_name.h"
#include "formats/text_encoding.h"

namespace hone::data {
namespace {

using formats::Value;

const std::vector<std::string> kKeys = {"file_name",   "formatting",     "columns",    "tags",
                                        "ranking",     "subset",         "folder",     "split",
                                        "num_samples", "hf_hub_url",     "ms_hub_url", "om_hub_url",
                                        "script_url",  "cloud_file_name"};
const std::vector<std::string> kColumnKeys = {
    "prompt", "query",  "response", "history", "messages", "system", "tools",
    "images", "videos", "audios",   "chosen",  "rejected", "kto_tag"};
const std::vector<std::string> kTagKeys = {"role_tag",      "content_tag",     "user_tag",
                                           "assistant_tag", "observation_tag", "function_tag",
                                           "system_tag"};

class EntryReader {
 public:
  EntryReader(const std::string& name, const Value& entry, const std::string& registry,
              Purpose purpose)
      : value_(entry), where_(fmt::format("data set '{}' of {}", name, registry)) {
    entry_.name = name;
    entry_.purpose = purpose;
  }

  DatasetEntry read() {
    if (!value_.is_object()) {
      throw UserError({where_, std::string(describe(value_.kind())),
                       "write an object such as {\"file_name\": \"my_data.json\"}"});
    }
    note_unknown_keys(value_, kKeys, "");
    refuse_unsupported();
    read_formatting();
    read_columns();
    read_tags();
    read_num_samples();
    check_purpose();
    if (faults_.empty()) check_usable();
    faults_.throw_if_any();
    return std::move(entry_);
  }

 private:
  void fault(std::string found, std::string remedy) {
    faults_.add({where_, std::move(found), std::move(remedy)});
  }

  void note_unknown_keys(const Value& object, const std::vector<std::string>& known,
                         const std::string& inside) {
    for (const formats::Member& member : object.object()) {
      if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
      entry_.notes.push_back(fmt::format("{}: '{}{}' is not a known key and is ignored{}", where_,
                                         inside, formats::printable(member.key),
                                         did_you_mean(member.key, known)));
    }
  }

  // The string under `key`; nothing when it is absent or null, or (a fault) of another kind.
  std::optional<std::string> text(const Value& object, const std::string& key,
                                  const std::string& inside = "") {
    const Value* value = object.find(key);
    if (value == nullptr || value->is_null()) return std::nullopt;
    if (const std::string* found = value->get_string()) return *found;
    fault(fmt::format("'{}{}' is {}", inside, key, describe(value->kind())),
          "write a string in quotes");
    return std::nullopt;
  }

  bool set(const Value& object, const char* key) {
    const Value* value = object.find(key);
    return value != nullptr && !value->is_null();
  }

  // True for a set on a hub: its other sources do not count then.
  bool read_hub() {
    if (!set(value_, "hf_hub_url") && !set(value_, "ms_hub_url")) {
      if (!set(value_, "om_hub_url")) return false;
      fault("'om_hub_url': the Modelers hub is not asked by hone",
            "download the data as JSON or JSONL and name the file under 'file_name' instead");
      return true;
    }
    HubNames& hub = entry_.hub.emplace();
    hub.huggingface = text(value_, "hf_hub_url");
    hub.modelscope = text(value_, "ms_hub_url");
    hub.subset = text(value_, "subset");
    hub.folder = text(value_, "folder");
    hub.split = text(value_, "split").value_or("train");
    const auto is_plain = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
    };
    if (hub.split.empty() || !std::all_of(hub.split.begin(), hub.split.end(), is_plain)) {
      fault(fmt::format("'split' is '{}': split expressions are not supported yet",
                        formats::printable(hub.split)),
            "write the name of one split, such as train; max_samples takes the first records");
    }
    return true;
  }

  void refuse_unsupported() {
    if (read_hub()) return;
    if (set(value_, "script_url")) {
      fault("'script_url': loading scripts are Python programs, which hone does not run",
            "write the records to a JSON or JSONL file and name it under 'file_name'");
      return;
    }
    if (set(value_, "cloud_file_name")) {
      fault("'cloud_file_name': files in cloud storage are not supported yet",
            "download the file and name it under 'file_name'");
      return;
    }
    for (const char* key : {"subset", "folder"}) {
      if (!set(value_, key)) continue;
      fault(fmt::format("'{}' is not supported yet", key), fmt::format("remove '{}'", key));
    }
    if (const auto split = text(value_, "split"); split && *split != "train") {
      fault(fmt::format("'split' is '{}': split expressions are not supported yet",
                        formats::printable(*split)),
            "remove 'split', or put the wanted records into a file of their own");
    }
  }

  void read_formatting() {
    entry_.file_name = text(value_, "file_name").value_or("");
    if (entry_.hub) {
      entry_.file_name =
          entry_.hub->huggingface ? *entry_.hub->huggingface : entry_.hub->modelscope.value_or("");
    }
    if (entry_.file_name.empty() && faults_.empty()) {
      fault("no 'file_name'", "name the data file, relative to the folder of dataset_info.json");
    }
    const std::string formatting = text(value_, "formatting").value_or("alpaca");
    if (formatting == "alpaca") return;
    if (formatting == "sharegpt") {
      entry_.formatting = Formatting::sharegpt;
    } else if (formatting == "openai") {
      entry_.formatting = Formatting::openai;
    } else {
      fault(fmt::format("'formatting' is '{}'{}", formats::printable(formatting),
                        did_you_mean(formatting, {"alpaca", "sharegpt", "openai"})),
            "use 'alpaca', 'sharegpt' or 'openai'");
    }
  }

  void read_columns() {
    const Value* columns = value_.find("columns");
    if (columns == nullptr || columns->is_null()) return;
    if (!columns->is_object()) {
      return fault(fmt::format("'columns' is {}", describe(columns->kind())),
                   "write an object such as {\"prompt\": \"question\", \"response\": \"answer\"}");
    }
    note_unknown_keys(*columns, kColumnKeys, "columns.");
    entry_.columns_given = true;
    ColumnNames& names = entry_.columns;
    names.prompt = text(*columns, "prompt", "columns.");
    names.query = text(*columns, "query", "columns.");
    names.response = text(*columns, "response", "columns.");
    names.history = text(*columns, "history", "columns.");
    names.messages = text(*columns, "messages", "columns.");
    names.system = text(*columns, "system", "columns.");
    names.tools = text(*columns, "tools", "columns.");
    for (const char* key : {"images", "videos", "audios"}) {
      if (!set(*columns, key)) continue;
      fault(fmt::format("'columns.{}': images, videos and audio are not supported yet", key),
            "choose a data set of texts");
    }
    names.chosen = text(*columns, "chosen", "columns.");
    names.rejected = text(*columns, "rejected", "columns.");
    names.kto_tag = text(*columns, "kto_tag", "columns.");
  }

  void read_tags() {
    const Value* tags = value_.find("tags");
    if (tags == nullptr || tags->is_null()) return;
    if (!tags->is_object()) {
      return fault(fmt::format("'tags' is {}", describe(tags->kind())),
                   "write an object such as {\"role_tag\": \"role\", \"content_tag\": \"content\", "
                   "\"user_tag\": \"user\", \"assistant_tag\": \"assistant\"}");
    }
    note_unknown_keys(*tags, kTagKeys, "tags.");
    TagNames& names = entry_.tags;
    names.role = text(*tags, "role_tag", "tags.");
    names.content = text(*tags, "content_tag", "tags.");
    names.user = text(*tags, "user_tag", "tags.");
    names.assistant = text(*tags, "assistant_tag", "tags.");
    names.observation = text(*tags, "observation_tag", "tags.");
    names.function = text(*tags, "function_tag", "tags.");
    names.system = text(*tags, "system_tag", "tags.");
  }

  void read_num_samples() {
    const Value* value = value_.find("num_samples");
    if (value == nullptr || value->is_null()) return;
    if (value->kind() != Value::Kind::integer || value->integer() < 1) {
      return fault("'num_samples' is not a whole number from 1 on",
                   "write the number of records to draw, or remove it");
    }
    entry_.num_samples = value->integer();
  }

  bool ranking() {
    const Value* value = value_.find("ranking");
    if (value == nullptr || value->is_null() || *value == Value(false)) return false;
    if (*value == Value(true)) return true;
    fault(fmt::format("'ranking' is {}", describe(value->kind())), "write true or false");
    return false;
  }

  // Pairs are for stages that compare, and nothing else is.
  void check_purpose() {
    const bool pairs = ranking();
    if (pairs && entry_.purpose != Purpose::pairs) {
      fault(fmt::format("'ranking' is set: the records are pairs of answers, and stage {} trains "
                        "on single {}",
                        stage(), entry_.purpose == Purpose::pretraining ? "texts" : "answers"),
            "choose a data set without 'ranking'");
    } else if (!pairs && entry_.purpose == Purpose::pairs) {
      fault("'ranking' is not set: the records are not pairs of answers",
            "choose a data set with \"ranking\": true, or add it");
    }
    const bool judged = entry_.columns.kto_tag.has_value();
    if (judged && entry_.purpose == Purpose::supervised) {
      fault(
          "'columns.kto_tag': the answers are judged good or bad (for KTO), and stage sft would "
          "learn both",
          "choose a data set without 'kto_tag', or remove it to learn every answer");
    } else if (!judged && entry_.purpose == Purpose::judged) {
      fault("'columns' names no 'kto_tag'",
            "add \"kto_tag\" with the name of the column that says whether an answer is wanted");
    }
  }

  const char* stage() const { return entry_.purpose == Purpose::pretraining ? "pt" : "sft"; }

  // What could never give a record is said here rather than once per record.
  void check_usable() {
    const char* reset = "; where 'columns' is given, a column that it does not name does not exist";
    if (entry_.formatting == Formatting::alpaca) return check_alpaca(reset);
    if (entry_.purpose == Purpose::pairs && !(entry_.columns.chosen && entry_.columns.rejected)) {
      fault("'columns' names no 'chosen' and 'rejected'" + std::string(reset),
            "add both with the names of the columns of the better and the worse answer");
    }
    if (!entry_.columns.messages) {
      fault("'columns' names no 'messages'" + std::string(reset),
            "add \"messages\" with the name of the column that holds the conversations");
    }
    const std::pair<const char*, const std::optional<std::string>&> needed[] = {
        {"role_tag", entry_.tags.role},
        {"content_tag", entry_.tags.content},
        {"user_tag", entry_.tags.user},
        {"assistant_tag", entry_.tags.assistant}};
    for (const auto& [key, value] : needed) {
      if (value) continue;
      fault(fmt::format("'tags' names no '{}'; where 'tags' is given, a tag that it does not name "
                        "does not exist",
                        key),
            fmt::format("add \"{}\"", key));
    }
  }

  void check_alpaca(const std::string& reset) {
    const ColumnNames& columns = entry_.columns;
    if (entry_.purpose == Purpose::pretraining) {
      if (columns.prompt || columns.query) return;
      return fault("'columns' names no 'prompt'" + reset,
                   "add \"prompt\" with the name of the column that holds the texts");
    }
    if (entry_.purpose == Purpose::pairs) {
      if (columns.chosen && columns.rejected) return;
      return fault("'columns' names no 'chosen' and 'rejected'" + reset,
                   "add both with the names of the columns of the better and the worse answer");
    }
    if (columns.response) return;
    fault("'columns' names no 'response'" + reset,
          columns.messages
              ? "add \"response\", or set \"formatting\": \"sharegpt\" for conversations"
              : "add \"response\" with the name of the column that holds the answers");
  }

  const Value& value_;
  std::string where_;
  DatasetEntry entry_;
  FaultList faults_;
};

}  // namespace

DatasetEntry read_dataset_entry(const std::string& name, const formats::Value& entry,
                                const std::string& registry, Purpose purpose) {
  return EntryReader(name, entry, registry, purpose).read();
}

}  // namespace hone::data
