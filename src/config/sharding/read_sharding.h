// How the model's state is shared out between ranks: from `deepspeed`, or `fsdp` and `fsdp_config`,
// to ZeroOptions.
#pragma once

#include <set>
#include <string>

#include "config/reading/read_settings.h"
#include "formats/value.h"

namespace hone::config {

struct ShardingContext {
  ReadResult& result;  // completed; notices are added
  const std::set<std::string>&
      faulty;  // settings with a fault already: nothing is compared to them
  FaultList& faults;
  Command command = Command::train;
  int ranks = 1;
  bool allow_unknown = false;  // unknown keys are warnings
};

// Fills in Settings::zero. Every fault of the files, and every contradiction to the settings, is
// added.
void read_sharding(const ShardingContext& context);

// Its parts: the options that the setting asks for. The setting must be there.
ZeroOptions read_deepspeed(const ShardingContext& context);
ZeroOptions read_fsdp(const ShardingContext& context);

// What a mapping says: of its JSON text, or of the file whose path it is (.yaml and .yml, else
// JSON). Throws UserError.
formats::Value open_mapping(const ReadResult& result, const std::string& setting,
                            const std::string& text);

// "ds_z3.json" of a path; "deepspeed (run.yaml, line 4)" of a map: the name of what is read.
std::string mapping_name(const ReadResult& result, const std::string& setting,
                         const std::string& text);

}  // namespace hone::config
