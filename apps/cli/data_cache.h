// Where encoded records are kept between runs: beside the caches of the package `datasets`.
#pragma once

#include <filesystem>
#include <string>

namespace hone::cli {

// `hone` inside HF_DATASETS_CACHE, else inside datasets of HF_HOME, else of huggingface inside
// XDG_CACHE_HOME, else of ~/.cache/huggingface. Empty without any of these and without a home.
std::filesystem::path data_cache_folder(const std::string& home);

}  // namespace hone::cli
