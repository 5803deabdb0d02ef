// dataset_info.json: which data sets there are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/sources/dataset_entry.h"
#include "formats/value.h"

namespace hone::data {

class DatasetRegistry {
 public:
  // Reads <dataset_dir>/dataset_info.json. UserError: not there, not JSON, not an object; `ONLINE`
  // and `REMOTE:...`, which LLaMA-Factory knows and hone does not.
  static DatasetRegistry open(const std::filesystem::path& dataset_dir);

  const std::filesystem::path& folder() const { return folder_; }
  std::vector<std::string> names() const;  // in the order of the file

  // UserError: not defined (with the nearest name and what is defined), or see read_dataset_entry.
  DatasetEntry find(const std::string& name, Purpose purpose = Purpose::supervised) const;

 private:
  std::filesystem::path folder_;
  std::string file_;  // as errors name it
  formats::Value entries_;
};

}  // namespace hone::data
