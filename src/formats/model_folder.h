// File names that come from inside a downloaded model.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hone::formats {

// The path of the plain file `name` inside `folder`, or a UserError before anything is opened.
//
// A name must be relative, without "." and "..", backslash or zero byte; it may lie in a
// sub-folder. Links are followed only to a place inside the folder, or, in a hub cache
// (models--owner--name/snapshots/<revision>/), inside the `blobs` folder beside `snapshots`.
// `asked` says in errors who named the file: "tensor 'lm_head.weight' in
// model.safetensors.index.json".
std::filesystem::path resolve_in_folder(const std::filesystem::path& folder, std::string_view name,
                                        const std::string& asked);

}  // namespace hone::formats
