// What a run would take on machines that are not here: bytes of one rank, for every way to share
// out the model. Needs the model's config.json and nothing else.
//
// The rows are those of a run (assemble/training_plan.h): the same objects describe them, with
// ranks that nobody has started. Offload moves rows that exist to the host; what stays on the
// device for it is kOffloadWindowBytes for each part.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assemble/model_source.h"
#include "assemble/named_device.h"
#include "assemble/training_plan.h"
#include "config/reading/read_settings.h"

namespace hone::assemble {

// Two buffers, of which one is filled while the other is computed with.
inline constexpr std::size_t kOffloadWindowBytes = std::size_t{2} * (std::size_t{64} << 20);

// One way to share out the model.
struct Sharing {
  config::ZeroStage stage = config::ZeroStage::replicated;
  config::OffloadTo optimizer = config::OffloadTo::device;
  config::OffloadTo parameters = config::OffloadTo::device;

  bool operator==(const Sharing&) const = default;
};

// What one rank takes that way.
struct RankMemory {
  struct Part {
    Category category;
    std::size_t device_bytes = 0;
    std::size_t moved_bytes = 0;  // to the host, or to disk
  };

  Sharing sharing;
  std::vector<Part> parts;  // in the categories' order; none of the program on a GPU
  std::int64_t micro_step_tokens = 0;
  std::int64_t recomputed_blocks = 0;
  std::size_t least_bytes = 0;  // of the device, with one record at once and all recomputed
  bool fits = false;

  std::size_t device_bytes() const;
  // Weights, gradients and optimizer state.
  std::size_t state_bytes() const;
  std::size_t moved_bytes() const;
};

class MachinePlan {
 public:
  // Throws UserError for a model or devices that are not there.
  explicit MachinePlan(const config::ReadResult& read);

  const RankMemory& asked() const { return asked_; }
  const std::vector<RankMemory>& ways() const { return ways_; }
  const NamedDevice& device() const { return device_; }
  // The model's weights, those of adapters among them.
  std::int64_t elements() const { return all_elements_; }

  std::vector<std::string> summary() const;
  // The memory of the asked way by category, with its verdict.
  std::string memory_table() const;
  // Every way beside the other.
  std::string ways_table() const;

 private:
  RankMemory measure(const Sharing& sharing);
  std::vector<std::int64_t> micro_steps() const;
  DataSizes sizes() const;
  std::vector<std::string> remedies() const;

  const config::ReadResult& read_;
  const config::Settings& settings_;
  NamedDevice device_;
  ModelSource source_;
  std::int64_t all_elements_ = 0;
  std::int64_t trained_elements_ = 0;
  RankMemory asked_;
  std::vector<RankMemory> ways_;
};

}  // namespace hone::assemble
