// An evaluation without training up to the point where memory is taken. `hone plan` stops here,
// `hone train` goes on (assemble/evaluation_run.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assemble/frozen_model.h"
#include "assemble/machine.h"
#include "assemble/training_data.h"
#include "base/log_sink.h"
#include "config/reading/read_settings.h"
#include "memory/buffer_list.h"
#include "memory/plan.h"
#include "model/forward_backward/pass_buffers.h"
#include "train/evaluation.h"

namespace hone::assemble {

class PlannedEvaluation {
 public:
  // Opens model and adapters, loads and encodes the records, plans the memory; where a stated
  // memory_limit demands it, micro-steps are made smaller. Throws UserError with all that is wrong
  // with model and data. Notes and warnings go to `log`. `read` must outlive this.
  // `data_cache`: see RunEnvironment.
  PlannedEvaluation(const config::ReadResult& read, const std::filesystem::path& data_cache,
                    LogSink& log);
  PlannedEvaluation(const PlannedEvaluation&) = delete;
  PlannedEvaluation& operator=(const PlannedEvaluation&) = delete;

  // What will happen, in lines: device, model, adapters, records, micro-steps.
  std::vector<std::string> summary() const;
  // The memory table with its verdict and, if it does not fit, what would help.
  std::string memory_table() const;
  bool fits() const { return plan.total_bytes() <= memory_bytes; }
  std::int64_t records() const;  // of all sets
  // Throws UserError when the evaluation does not fit.
  void refuse_if_too_large() const;

  Machine machine;
  std::unique_ptr<FrozenModel> model;
  std::optional<EvaluationData> data;
  train::EvaluationOptions options;
  data::BatchCapacity capacity;
  std::unique_ptr<model::PassBuffers> buffers;
  BufferList work_buffers;
  TensorView kernel_scratch;  // u8
  Plan plan;
  std::size_t memory_bytes = 0;  // what may be used

 private:
  const config::Settings& settings() const { return read_.settings; }
  void say_if_no_adapter(LogSink& log) const;
  std::int64_t longest_tokens() const;
  void settle();
  void build(std::int64_t micro_step_tokens);
  std::vector<std::string> remedies() const;

  const config::ReadResult& read_;
  std::size_t program_bytes_ = 0;
};

}  // namespace hone::assemble
