// Which files of a repository a model, an adapter or a data set needs: those and no others are
// fetched.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hub/hub.h"

namespace hone::hub {

// Fetches config.json, the tokenizer's files and, with `weights`, the safetensors: the files that
// model.safetensors.index.json names, or model.safetensors. The folder of the snapshot. Errors
// (UserError): those of Snapshot; no config.json; weights in other forms only.
std::filesystem::path fetch_model(Hub& hub, const Repository& repository, bool weights);

// Whether the folder of a snapshot has all the weights: what fetch_model adds last is there.
bool has_weights(const std::filesystem::path& snapshot);

// adapter_config.json and adapter_model.safetensors.
std::filesystem::path fetch_adapter(Hub& hub, const Repository& repository);

struct DatasetPlace {
  Repository repository;
  std::optional<std::string> subset;  // a configuration of the data set's card
  std::string split = "train";
  std::optional<std::string> folder;  // only what is in it
};

// The files of one split, in the order of their names: as the card (README.md) says under
// `configs`, or else those whose folder or name has the split's word in it (train, validation,
// test and their like), or else, for train, all. JSON, JSONL, CSV, TXT, parquet and arrow.
// Errors (UserError): those of Snapshot; a subset or split that there is not, with those there
// are; a loading script alone.
std::vector<std::filesystem::path> fetch_dataset(Hub& hub, const DatasetPlace& place);

}  // namespace hone::hub
