// The key under which a data set's encoded rows are kept: everything that they are made of.
#pragma once

#include <string>

#include "data/prepared/preparation.h"
#include "data/sources/dataset_reader.h"

namespace hone::data {

// What all sets share: program, tokenizer, template, settings that change ids. Made once.
std::string encoding_key(const PreparationOptions& options, const Template& chat,
                         const Tokenizer& tokenizer);

// The state of the files: content of those up to 64 MiB, identity (inode, size, time of change) of
// larger ones.
std::string files_key(const std::vector<std::filesystem::path>& paths);

// 16 hexadecimal digits.
std::string rows_key(const std::string& encoding, const DatasetReader& reader,
                     const std::string& files, std::optional<std::int64_t> max_rows);

// 16 hexadecimal digits of any text.
std::string key_of(const std::string& text);

}  // namespace hone::data
