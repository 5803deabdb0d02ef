// dataset_info.json: which data sets there are.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "data/sources/dataset_entry.h"
#include "formats/value.h"

namespace hone::data {

using FetchedFiles = std::map<std::string, std::vector<std::filesystem::path>>;

class DatasetRegistry {
 public:
  // Reads <dataset_dir>/dataset_info.json. With `ONLINE` there is none, and every name is that of a
  // set on a hub with default columns. `fetched`: by name, the files of sets on hubs that are here.
  // UserError: not there, not JSON, not an object; `REMOTE:...`, whose registry is to be fetched
  // first.
  static DatasetRegistry open(const std::filesystem::path& dataset_dir, FetchedFiles fetched = {});

  const std::filesystem::path& folder() const { return folder_; }
  std::vector<std::string> names() const;  // in the order of the file

  // UserError: not defined (with the nearest name and what is defined), or see read_dataset_entry.
  // `setting`: what the name was given by, for that error.
  DatasetEntry find(const std::string& name, Purpose purpose = Purpose::supervised,
                    const std::string& setting = "dataset") const;

 private:
  std::filesystem::path folder_;
  std::string file_;  // as errors name it
  formats::Value entries_;
  bool online_ = false;
  FetchedFiles fetched_;
};

}  // namespace hone::data
