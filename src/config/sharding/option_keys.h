// Reading files of other programs' options: which keys there are, and what each means here.
//
// A key is obeyed, or compared with the setting that says the same, or accepted without effect, or
// refused unless its value is harmless. Slips of spelling are understood, with a notice; a key that
// nothing is near to is a fault. Keys that begin with `_` or `//`, and `comment`, are comments.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/reading/read_settings.h"
#include "formats/value.h"

namespace hone::config {

enum class KeyType { boolean, whole, number, text, list, object, anything };
enum class KeyUse { obeyed, compared, idle, refused };

struct OptionKey {
  const char* path;  // "zero_optimization.stage": objects are keys themselves
  KeyType type;
  KeyUse use;
  // obeyed: what it means. compared: the setting. idle: why nothing changes. refused: "why; what to
  // do instead".
  const char* text;
  // refused: the value, as JSON, that asks for nothing. null always does, and so does an object
  // that is empty or whose `enabled` is false.
  const char* harmless = "null";
  bool takes_auto = false;
};

// A file's keys after reading. Asking for a key that is not in the table is a defect.
class OptionFile {
 public:
  // `name` stands for the file in everything that people see. `allow_unknown`: unknown keys are
  // warnings.
  OptionFile(std::span<const OptionKey> keys, std::string name, bool allow_unknown);

  // Checks every key; faults and notices are added.
  void read(const formats::Value& root, FaultList& faults, std::vector<Notice>& notices);

  const std::string& name() const { return name_; }
  bool has(const std::string& path) const;      // there, of the right type, and not null
  bool is_auto(const std::string& path) const;  // "auto", where that is taken

  // Nothing for what is absent, null, faulty or "auto".
  std::optional<bool> boolean(const std::string& path) const;
  std::optional<std::int64_t> whole(const std::string& path) const;
  std::optional<double> number(const std::string& path) const;
  std::optional<std::string> text(const std::string& path) const;
  std::vector<double> numbers(const std::string& path) const;  // of a list

  // "zero_optimization.stage: 7 (ds.json)", for faults.
  std::string describe(const std::string& path) const;

 private:
  void read_object(const formats::Value& object, const std::string& prefix);
  void take(const OptionKey& key, const formats::Value& value);
  const OptionKey* find_key(const std::string& path) const;
  // The key that was meant, of those beside it that the object does not have.
  std::string meant(const std::string& key, const std::string& prefix,
                    const formats::Value& object) const;
  void report_unknown(const std::string& path, const std::string& prefix);
  void refuse(const OptionKey& key, const formats::Value& value, std::string found,
              std::string remedy);
  const formats::Value* value_of(const std::string& path) const;

  std::span<const OptionKey> keys_;
  std::string name_;
  bool allow_unknown_;
  FaultList* faults_ = nullptr;
  std::vector<Notice>* notices_ = nullptr;
  std::vector<std::string> idle_;
  std::map<std::string, formats::Value> values_;
};

// The keys as tables of a docs page.
std::string keys_page(std::span<const OptionKey> keys);

}  // namespace hone::config
