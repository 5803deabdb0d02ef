// What the folders beside a run's results are called.
//
// checkpoint-<step> is a checkpoint; checkpoint-<step>.partial one that is being written, or whose
// writer was stopped; checkpoint-<step>.removed one that is on its way out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace hone::checkpoint {

std::filesystem::path checkpoint_folder(const std::filesystem::path& output_dir, std::int64_t step);
std::filesystem::path partial_name(const std::filesystem::path& checkpoint);
std::filesystem::path removed_name(const std::filesystem::path& checkpoint);

// The number of checkpoint-<number>; nothing for another name.
std::optional<std::int64_t> checkpoint_number(const std::filesystem::path& folder);

// In ascending order of their numbers; folders only.
std::vector<std::filesystem::path> checkpoint_folders(const std::filesystem::path& output_dir);
std::vector<std::filesystem::path> partial_folders(const std::filesystem::path& output_dir);
std::vector<std::filesystem::path> removed_folders(const std::filesystem::path& output_dir);

// Everything else whose name begins with "checkpoint-".
std::vector<std::filesystem::path> unlike_checkpoints(const std::filesystem::path& output_dir);

}  // namespace hone::checkpoint
