// Finding the checkpoint to go on from, proving that it is whole, and loading it bit for bit.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/log_sink.h"
#include "checkpoint/checkpoint_folders.h"
#include "checkpoint/open_checkpoint.h"
#include "checkpoint/run_facts.h"
#include "formats/file_system.h"
#include "optimizers/optimizer.h"
#include "parameters/flat_layout.h"

namespace hone::checkpoint {

struct ResumeRequest {
  std::filesystem::path output_dir;
  std::optional<std::string> named;  // resume_from_checkpoint: "true", "false", a folder, or unset
  bool overwrite = false;            // overwrite_output_dir
};

// The checkpoint that a run goes on from, or nothing for a run from the start.
//
// A folder named: that one, or an error. `true`: the newest whole one of output_dir, or an error.
// Unset: the newest whole one; nothing when there is none, or with `overwrite`. `false`: nothing.
// Of each checkpoint that is passed over a warning says what is wrong with it; when there were
// some and none is whole, that is an error even where nothing was asked for. A save that was
// stopped after everything was written is completed here, by the last rename.
//
// Reads every byte of the checkpoint that it gives. Errors (UserError) name folder and file.
std::optional<Checkpoint> choose_checkpoint(formats::FileSystem& system,
                                            const ResumeRequest& request, LogSink& log);

// Warns of everything by which the resumed run will differ from one that was never stopped: no
// optimizer state, another data set (with both sizes), other settings (with both values).
void compare_with_run(const Checkpoint& checkpoint, const RunFacts& now, LogSink& log);

// Runs of the flat space, in rising order, that a rank holds end to end.
using HeldRuns = std::vector<optimizers::HeldRun>;

// The trainable weights, bit for bit. `flat` is the array of the layout; with `held`, these runs of
// it. Errors (UserError): the checkpoint's trained parameters are not those of the layout.
void load_weights(const Checkpoint& checkpoint, const ParameterRegistry& registry,
                  const FlatLayout& layout, const TensorView& flat,
                  const std::optional<HeldRuns>& held = std::nullopt);

// The optimizer's state arrays, bit for bit; does nothing when the checkpoint has none. With
// `held`, the optimizer keeps state of these runs alone. Call after load_weights. Errors
// (UserError): state of another optimizer.
void load_optimizer(const Checkpoint& checkpoint, const FlatLayout& layout,
                    const optimizers::Optimizer& optimizer,
                    const std::optional<HeldRuns>& held = std::nullopt);

}  // namespace hone::checkpoint
