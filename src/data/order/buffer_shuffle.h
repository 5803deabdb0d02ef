// The order of a stream that is shuffled through a buffer, as the package `datasets` does it.
#pragma once

#include <cstdint>
#include <vector>

namespace hone::data {

// IterableDataset.shuffle(seed, buffer_size) of one shard with `rows` rows: rows fill the buffer;
// then each further row takes the place of one drawn by default_rng(seed).integers(0, buffer_size),
// which comes out; at the end the buffer comes out, shuffled by the same generator. rows >= 0,
// buffer_rows from 1 to 2^32 - 1.
std::vector<std::int64_t> buffer_shuffle(std::int64_t rows, std::int64_t buffer_rows,
                                         std::uint64_t seed);

}  // namespace hone::data
