// A model saved into a folder that may hold an older one, and files of others.
//
// Everything is first written into <folder>/model.partial/ and synced, and then, last, files.json
// there, the list of the new model's files. Then the folder's old configuration (config.json,
// adapter_config.json) is removed, so that nobody reads a mixture; weights of the old model that
// the new one does not replace are removed; the new files are renamed into the folder, the
// configuration last. Whoever looks sees the old model, none, or the new one. After a stop in the
// middle finish_final_model() goes on from what is on disk, so the new model is not lost.
#pragma once

#include <cstdint>
#include <filesystem>

#include "checkpoint/model_files.h"
#include "checkpoint/run_saver.h"
#include "formats/file_system.h"

namespace hone::checkpoint {

// `folder` must exist. Errors (UserError): the system's, with the file; the old model is then still
// whole.
SavedCheckpoint save_final_model(formats::FileSystem& system, const std::filesystem::path& folder,
                                 const ModelFiles& model);

// Completes a save that was stopped after everything had been written; clears away one that was
// stopped before. Gives true when a model was completed.
bool finish_final_model(formats::FileSystem& system, const std::filesystem::path& folder);

}  // namespace hone::checkpoint
